'use client';

import { useLocalStorage, useWindowEvent } from '@mantine/hooks';

const typing = 'input, textarea, select, [contenteditable="true"], [role="menu"]';

/**
 * Returns whether single-key shortcuts are on, and the setter. Users can turn them off, because speech input can
 * trigger them by accident.
 */
export function useSingleKeysSetting() {
  return useLocalStorage({ key: 'atelier:single-keys', defaultValue: true });
}

/**
 * Runs the action of a key, such as `n`, when the key is pressed. Ignores the key in fields and menus, while a dialog
 * is open, and while single-key shortcuts are off.
 */
export function useSingleKeys(actions: Record<string, (() => void) | undefined>): void {
  const [isEnabled] = useSingleKeysSetting();
  useWindowEvent('keydown', (event) => {
    const act = actions[event.key.toLowerCase()];
    if (!isEnabled || !act || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target instanceof Element && event.target.closest(typing)) return;
    if (document.querySelector('[role="dialog"]')) return;
    event.preventDefault();
    act();
  });
}
