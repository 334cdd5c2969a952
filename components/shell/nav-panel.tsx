'use client';

import { Drawer } from '@mantine/core';
import { NavLinks, type NavTarget } from './nav-links';
import classes from './nav-links.module.css';

type NavPanelProps = { targets: NavTarget[]; opened: boolean; onClose: () => void };

/** Shows the main navigation in a drawer. */
export function NavPanel({ targets, opened, onClose }: NavPanelProps) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      size="18rem"
      title="Atelier"
      closeButtonProps={{ 'aria-label': 'Close navigation' }}
    >
      <nav aria-label="Main" className={classes.drawer}>
        <NavLinks targets={targets} onStay={onClose} />
      </nav>
    </Drawer>
  );
}
