const typing =
  'input, textarea, select, [contenteditable="true"], [contenteditable="plaintext-only"], [role="dialog"]';

/**
 * Returns whether an event comes from a field or a dialog. There, the browser itself handles shortcuts and the
 * clipboard.
 */
export function isTyping({ target }: Event): boolean {
  return target instanceof Element && target.closest(typing) !== null;
}
