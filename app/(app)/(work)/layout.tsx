import type { ReactNode } from 'react';
import { TrayBar } from '@/components/materials/tray-bar';
import { TrayProvider } from '@/components/materials/tray-provider';
import { mainNav } from '@/components/shell/main-nav';
import { SiteShell } from '@/components/shell/site-shell';
import { pageCaller } from '@/lib/auth/page-caller';
import { shellAccount } from '../shell-account';

export default async function WorkLayout({ children }: { children: ReactNode }) {
  const caller = await pageCaller();
  // Each page redirects signed-out users itself, because only a page knows the URL to which the user returns after
  // signing in.
  if (!caller) return children;
  return (
    <TrayProvider userId={caller.userId}>
      <SiteShell account={await shellAccount(caller)} nav={mainNav(caller)}>
        {children}
        <TrayBar />
      </SiteShell>
    </TrayProvider>
  );
}
