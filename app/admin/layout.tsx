import type { ReactNode } from 'react';
import { mainNav } from '@/components/shell/main-nav';
import { SiteShell } from '@/components/shell/site-shell';
import { pageCaller } from '@/lib/auth/page-caller';
import { shellAccount } from '../shell-account';

export default async function AdminLayout({ children }: { children: ReactNode }) {
  const caller = await pageCaller();
  // Without the role, render only the page. Each page checks the role itself, because only a page knows its own URL for
  // the sign-in redirect.
  if (!caller?.isAdmin) return children;
  return (
    <SiteShell account={await shellAccount(caller)} nav={mainNav(caller)}>
      {children}
    </SiteShell>
  );
}
