'use client';

import { Burger } from '@mantine/core';
import { usePathname } from 'next/navigation';
import { useState } from 'react';
import { onDemand } from '@/components/feedback/on-demand';
import type { NavTarget } from './nav-links';

const NavPanel = onDemand(() => import('./nav-panel').then((file) => file.NavPanel), { opened: false });

/** Shows the button that opens the main navigation on a narrow screen. */
export function NavDrawer({ targets }: { targets: NavTarget[] }) {
  const pathname = usePathname();
  // The path on which the drawer was opened. The drawer stays open while a linked page loads, and closes when the path
  // changes.
  const [openOn, setOpenOn] = useState<string | null>(null);
  const opened = openOn === pathname;
  return (
    <>
      <Burger
        hiddenFrom="md"
        size="sm"
        opened={opened}
        onClick={() => setOpenOn(pathname)}
        aria-label="Open navigation"
        aria-expanded={opened}
      />
      <NavPanel targets={targets} opened={opened} onClose={() => setOpenOn(null)} />
    </>
  );
}
