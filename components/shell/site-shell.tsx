import type { ReactNode } from 'react';
import { AccountMenu, type ShellAccount } from './account-menu';
import { ColorSchemeMenu } from './color-scheme-menu';
import { NavDrawer } from './nav-drawer';
import { NavLinks, type NavTarget } from './nav-links';
import { ShellFrame } from './shell-frame';
import classes from './site-shell.module.css';
import { Wordmark } from './wordmark';

type SiteShellProps = {
  /** Null when signed out. */
  account: ShellAccount | null;
  nav?: NavTarget[];
  children: ReactNode;
};

/** Renders a page with its header and navigation. */
export function SiteShell({ account, nav = [], children }: SiteShellProps) {
  return (
    <ShellFrame
      bar={
        <>
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
        </>
      }
    >
      {children}
    </ShellFrame>
  );
}
