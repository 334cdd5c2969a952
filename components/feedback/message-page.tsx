import type { ReactNode } from 'react';
import classes from './message-page.module.css';

/**
 * Shows a page with only a message: not found, forbidden or failed. `children` are the actions below the message. Plain
 * elements, because every page loads the code of several of these pages.
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
