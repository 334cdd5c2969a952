import type { KeyboardEvent } from 'react';

/** Submits a prompt's form on Enter. Shift + Enter adds a line. */
export function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  // While an input method composes a word, Enter completes the word.
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}
