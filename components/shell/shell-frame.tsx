import type { ReactNode } from 'react';
import classes from './site-shell.module.css';

type ShellFrameProps = {
  /** The content of the header. */
  bar: ReactNode;
  children: ReactNode;
};

/** Renders the skip link, header and main element of a page. */
export function ShellFrame({ bar, children }: ShellFrameProps) {
  return (
    <>
      <a href="#main" className={classes.skip}>
        Skip to content
      </a>
      <header className={classes.header}>
        <div className={classes.bar}>{bar}</div>
      </header>
      <main id="main" tabIndex={-1} className={classes.main}>
        {children}
      </main>
    </>
  );
}
