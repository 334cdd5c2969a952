'use client';

import { useLocalStorage, useWindowEvent } from '@mantine/hooks';

const typing = 'input, textarea, select, [contenteditable="true"], [role="menu"]';

/** The user's setting for single-key shortcuts, which people who use speech input turn off. */
export function useSingleKeysSetting() {
  return useLocalStorage({ key: 'atelier:single-keys', defaultValue: true });
}

/**
 * Runs the action of a key, such as `n`, when it is pressed anywhere on the page except in a field or a menu, while no
 * dialog is open.
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
