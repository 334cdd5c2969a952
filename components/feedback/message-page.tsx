import type { ReactNode } from 'react';
import classes from './message-page.module.css';

/**
 * Shows a page that contains only a message, for example that a page was not found. `children` are the actions below
 * the message. Uses plain elements to keep its code small, because every page of the app loads the code of several
 * message pages.
 */
export function MessagePage({
  title,
  text,
  children,
}: {
  title: string;
  text: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className={classes.page}>
      <h1 className={classes.title}>{title}</h1>
      <p className={classes.text}>{text}</p>
      {children}
    </div>
  );
}
