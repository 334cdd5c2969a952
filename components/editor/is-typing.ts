const typing = 'input, textarea, select, [contenteditable="true"], [role="dialog"]';

/** Whether an event comes from a text field or a dialog, where the browser's own keys and clipboard apply. */
export function isTyping({ target }: Event): boolean {
  return target instanceof Element && target.closest(typing) !== null;
}
