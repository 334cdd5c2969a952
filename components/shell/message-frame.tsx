import type { ReactNode } from 'react';
import { Logo } from './logo';
import type { NavTarget } from './nav-links';
import navClasses from './nav-links.module.css';
import { ShellFrame } from './shell-frame';
import shellClasses from './site-shell.module.css';
import classes from './wordmark.module.css';

/**
 * Renders the header and main element of the sign-in page, the page for unknown paths, and the error page that replaces
 * a whole page. Every page loads this code for its error page, so the code is kept small. The header has no menus, and
 * its links are plain `<a>` elements, which reload the whole page.
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
