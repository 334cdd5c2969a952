/**
 * Focuses the first field with this name, usually to let the user correct it. Returns the field, or null if there is
 * none.
 */
export function focusField(form: HTMLFormElement, name: string): HTMLInputElement | null {
  const field = form.querySelector<HTMLInputElement>(`[name="${name}"]`);
  field?.focus();
  return field;
}
