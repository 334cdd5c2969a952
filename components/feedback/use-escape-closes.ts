'use client';

import { useModals } from '@mantine/modals';
import { useDeferredValue } from 'react';

/** Returns whether Escape may close a dialog: it must not while a confirmation is open above the dialog. */
export function useEscapeCloses(): boolean {
  const { modals } = useModals();
  // The dialog receives the key press that closes the confirmation after the confirmation does. Deferring the change
  // means that the confirmation counts as open until the event is over.
  return useDeferredValue(modals.length) === 0;
}
