'use client';

import { Drawer, type DrawerProps } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useRef } from 'react';

/**
 * Shows a drawer on the right. Escape closes the drawer, but not while the focus is in a dialog on top of the drawer.
 * Mantine's own `closeOnEscape` is off, because it would close the drawer together with that dialog.
 */
export function SideDrawer({ opened, onClose, ...drawer }: Omit<DrawerProps, 'position' | 'closeOnEscape'>) {
  const root = useRef<HTMLDivElement>(null);
  const focused = useRef<Element>(null);
  useWindowEvent('focusin', ({ target }) => {
    if (target instanceof Element) focused.current = target;
  });
  useWindowEvent(
    'keydown',
    ({ key, target, isComposing }) => {
      if (!opened || key !== 'Escape' || isComposing || !(target instanceof Element)) return;
      // The body gets the key press when the focused element has been removed or disabled.
      const isInside = root.current?.contains(target === document.body ? focused.current : target);
      // Mantine marks fields that handle Escape themselves, such as those with an open list.
      const isHandled = target.getAttribute('data-mantine-stop-propagation') === 'true';
      if (isInside && !isHandled) onClose();
    },
    // Capture the event, because the field removes the mark when it handles the key.
    { capture: true },
  );
  return (
    <Drawer ref={root} opened={opened} onClose={onClose} position="right" closeOnEscape={false} {...drawer} />
  );
}
