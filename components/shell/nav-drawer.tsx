'use client';

import { Burger, Drawer } from '@mantine/core';
import { usePathname } from 'next/navigation';
import { useState } from 'react';
import { NavLinks, type NavTarget } from './nav-links';
import classes from './nav-links.module.css';

/** The main navigation on a narrow screen. */
export function NavDrawer({ targets }: { targets: NavTarget[] }) {
  const pathname = usePathname();
  // The page that the drawer is open on: a link shows that its page loads, and then the drawer closes.
  const [openOn, setOpenOn] = useState<string | null>(null);
  const opened = openOn === pathname;
  const close = () => setOpenOn(null);
  return (
    <>
      <Burger
        hiddenFrom="sm"
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
