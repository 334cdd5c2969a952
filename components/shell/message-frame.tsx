import type { ReactNode } from 'react';
import { Logo } from './logo';
import type { NavTarget } from './nav-links';
import navClasses from './nav-links.module.css';
import { ShellFrame } from './shell-frame';
import shellClasses from './site-shell.module.css';
import classes from './wordmark.module.css';

/**
 * Renders the header and main element of a page that is shown in place of another: not found, forbidden or failed.
 * Every page loads the code of these pages, so the header has no menus, and its links load their pages anew.
 */
export function MessageFrame({ nav = [], children }: { nav?: NavTarget[]; children: ReactNode }) {
  return (
    <ShellFrame
      bar={
        <>
          <a href="/" className={classes.wordmark}>
            <Logo />
          </a>
          {nav.length > 0 && (
            <nav aria-label="Main" className={shellClasses.nav}>
              {nav.map(({ href, label }) => (
                <a key={href} href={href} className={navClasses.link}>
                  {label}
                </a>
              ))}
            </nav>
          )}
        </>
      }
    >
      {children}
    </ShellFrame>
  );
}
