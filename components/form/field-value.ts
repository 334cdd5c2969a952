/**
 * Returns the value of a form field. Server-rendered forms read their fields on submit, because React state would miss
 * what was typed or filled in before the page was hydrated.
 */
export function fieldValue(form: HTMLFormElement, name: string): string {
  return String(new FormData(form).get(name) ?? '');
}
