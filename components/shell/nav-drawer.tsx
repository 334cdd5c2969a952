'use client';

import { Burger, Drawer } from '@mantine/core';
import { usePathname } from 'next/navigation';
import { useState } from 'react';
import { NavLinks, type NavTarget } from './nav-links';
import classes from './nav-links.module.css';

/** Shows the main navigation on a narrow screen. */
export function NavDrawer({ targets }: { targets: NavTarget[] }) {
  const pathname = usePathname();
  // The path on which the drawer was opened, so that it stays open while a link's page loads and closes when the path
  // changes.
  const [openOn, setOpenOn] = useState<string | null>(null);
  const opened = openOn === pathname;
  const close = () => setOpenOn(null);
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
      <Drawer
        opened={opened}
        onClose={close}
        size="18rem"
        title="Atelier"
        closeButtonProps={{ 'aria-label': 'Close navigation' }}
      >
        <nav aria-label="Main" className={classes.drawer}>
          <NavLinks targets={targets} onStay={close} />
        </nav>
      </Drawer>
    </>
  );
}
