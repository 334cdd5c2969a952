import type { ReactNode } from 'react';
import { SiteShell } from '@/components/shell/site-shell';
import { UploadQueueProvider } from '@/components/specs/upload-queue-provider';
import { pageCaller } from '@/lib/auth/page-caller';

const nav = [
  { href: '/admin/specs', label: 'Specs' },
  { href: '/admin/catalogue', label: 'Brands and areas' },
];

export default async function AdminLayout({ children }: { children: ReactNode }) {
  const caller = await pageCaller();
  // Each page asks for the role itself: only a page knows its own address to come back to.
  if (!caller?.isAdmin) return children;
  return (
    <UploadQueueProvider>
      <SiteShell account={{ email: caller.email, isAdmin: true }} nav={nav}>
        {children}
      </SiteShell>
    </UploadQueueProvider>
  );
}
