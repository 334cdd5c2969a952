'use client';

import { useWindowEvent } from '@mantine/hooks';
import type { RefObject } from 'react';

const typing = 'input, textarea, select, [contenteditable="true"], [role="dialog"]';

/** Lets `/` focus a field from anywhere on the page except another field or a dialog. */
export function useSlashKey(field: RefObject<HTMLInputElement | null>): void {
  useWindowEvent('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest(typing)) return;
    event.preventDefault();
    field.current?.focus();
    field.current?.select();
  });
}
