import type { KeyboardEvent } from 'react';

/** Submits a prompt's form on Enter. Shift + Enter adds a line. */
export function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.shiftKey) return;
  // While an input method composes a word, Enter completes the word. Safari ends the composition before this event, but
  // still gives it the key code 229.
  if (event.nativeEvent.isComposing || event.nativeEvent.keyCode === 229) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}
