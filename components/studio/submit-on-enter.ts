import type { KeyboardEvent } from 'react';

/** Submits a prompt's form on Enter. Shift + Enter adds a line. */
export function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.shiftKey) return;
  // While an input method composes a word, Enter completes the word. In Safari, the composition ends before this event,
  // but the event still has the key code 229.
  if (event.nativeEvent.isComposing || event.nativeEvent.keyCode === 229) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}
