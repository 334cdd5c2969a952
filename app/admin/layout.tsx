import type { ReactNode } from 'react';
import { mainNav } from '@/components/shell/main-nav';
import { SiteShell } from '@/components/shell/site-shell';
import { pageCaller } from '@/lib/auth/page-caller';

export default async function AdminLayout({ children }: { children: ReactNode }) {
  const caller = await pageCaller();
  // Each page asks for the role itself: only a page knows its own address to come back to.
  if (!caller?.isAdmin) return children;
  return (
    <SiteShell account={{ email: caller.email, isAdmin: true }} nav={mainNav(caller)}>
      {children}
    </SiteShell>
  );
}
