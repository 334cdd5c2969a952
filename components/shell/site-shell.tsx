import type { ReactNode } from 'react';
import { AccountMenu, type ShellAccount } from './account-menu';
import { ColorSchemeMenu } from './color-scheme-menu';
import { NavDrawer } from './nav-drawer';
import { NavLinks, type NavTarget } from './nav-links';
import classes from './site-shell.module.css';
import { Wordmark } from './wordmark';

type SiteShellProps = {
  /** Null when signed out. */
  account: ShellAccount | null;
  nav?: NavTarget[];
  children: ReactNode;
};

/** Renders the header, navigation and main element of every page. */
export function SiteShell({ account, nav = [], children }: SiteShellProps) {
  return (
    <>
      <a href="#main" className={classes.skip}>
        Skip to content
      </a>
      <header className={classes.header}>
        <div className={classes.bar}>
          {nav.length > 0 && <NavDrawer targets={nav} />}
          <Wordmark />
          {nav.length > 0 && (
            <nav aria-label="Main" className={classes.nav}>
              <NavLinks targets={nav} />
            </nav>
          )}
          <div className={classes.tools}>
            <ColorSchemeMenu />
            {account && <AccountMenu account={account} />}
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1} className={classes.main}>
        {children}
      </main>
    </>
  );
}
