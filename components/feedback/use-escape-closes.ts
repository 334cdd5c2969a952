'use client';

import { useModals } from '@mantine/modals';
import { useDeferredValue } from 'react';

/** Returns whether Escape may close a dialog. It may not while a confirmation is open on top of the dialog. */
export function useEscapeCloses(): boolean {
  const { modals } = useModals();
  // The dialog receives the key press after it has closed the confirmation. Defer the change, so the confirmation
  // counts as open until the event is over.
  return useDeferredValue(modals.length) === 0;
}
