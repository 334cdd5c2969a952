import type { ReactNode } from 'react';
import { mainNav } from '@/components/shell/main-nav';
import { SiteShell } from '@/components/shell/site-shell';
import { pageCaller } from '@/lib/auth/page-caller';
import { shellAccount } from '../shell-account';

export default async function AdminLayout({ children }: { children: ReactNode }) {
  const caller = await pageCaller();
  // Each page redirects signed-out users and checks the role itself, because only a page knows its own URL.
  if (!caller) return children;
  return (
    <SiteShell account={await shellAccount(caller)} nav={mainNav(caller)}>
      {children}
    </SiteShell>
  );
}
