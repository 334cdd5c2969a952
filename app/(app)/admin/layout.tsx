import type { ReactNode } from 'react';
import { mainNav } from '@/components/shell/main-nav';
import { SiteShell } from '@/components/shell/site-shell';
import { pageCaller } from '@/lib/auth/page-caller';
import { shellAccount } from '../shell-account';

export default async function AdminLayout({ children }: { children: ReactNode }) {
  const caller = await pageCaller();
  // Each page checks access itself. The layout cannot redirect signed-out users, because only a page knows the URL to
  // which the user returns after signing in.
  if (!caller) return children;
  return (
    <SiteShell account={await shellAccount(caller)} nav={mainNav(caller)}>
      {children}
    </SiteShell>
  );
}
