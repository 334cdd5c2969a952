'use client';

import { useDeferredValue } from 'react';
import { useQuestion } from './ask-to-confirm';

/** Returns whether Escape may close a dialog, which is false while a confirmation is open on top of the dialog. */
export function useEscapeCloses(): boolean {
  // The Escape key press that closes the confirmation also reaches the dialog afterwards. Defer the value, so that the
  // confirmation counts as open until the event is over.
  return useDeferredValue(useQuestion()) === null;
}
