'use client';

import { Burger, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { NavLinks, type NavTarget } from './nav-links';
import classes from './nav-links.module.css';

/** The main navigation on a narrow screen. */
export function NavDrawer({ targets }: { targets: NavTarget[] }) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Burger
        hiddenFrom="sm"
        size="sm"
        opened={opened}
        onClick={open}
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
          <NavLinks targets={targets} onFollow={close} />
        </nav>
      </Drawer>
    </>
  );
}
