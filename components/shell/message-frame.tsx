import type { ReactNode } from 'react';
import { Logo } from './logo';
import { ShellFrame } from './shell-frame';
import classes from './wordmark.module.css';

/**
 * Renders the header and main element of a page that stands for any other: not found, forbidden or failed. Every page
 * loads the code of these pages, so the header has no menus, and its link loads the home page anew.
 */
export function MessageFrame({ children }: { children: ReactNode }) {
  return (
    <ShellFrame
      bar={
        <a href="/" className={classes.wordmark}>
          <Logo />
        </a>
      }
    >
      {children}
    </ShellFrame>
  );
}
