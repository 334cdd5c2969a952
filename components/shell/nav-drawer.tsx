'use client';

import { Burger } from '@mantine/core';
import { onDemand } from '@/components/feedback/on-demand';
import type { NavTarget } from './nav-links';
import { useOpenOnPath } from './use-open-on-path';

const NavPanel = onDemand(() => import('./nav-panel').then((file) => file.NavPanel), { opened: false });

/** On a narrow screen, shows a button that opens the main navigation in a drawer. */
export function NavDrawer({ targets }: { targets: NavTarget[] }) {
  const { opened, open, close } = useOpenOnPath();
  return (
    <>
      <Burger
        hiddenFrom="md"
        size="sm"
        opened={opened}
        onClick={open}
        aria-label="Open navigation"
        aria-expanded={opened}
      />
      <NavPanel targets={targets} opened={opened} onClose={close} />
    </>
  );
}
