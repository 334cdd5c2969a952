/**
 * Returns the text of a form's field. The forms that the server renders read their fields on submit instead of keeping
 * each change as state, which would miss what was typed or filled in before the page was hydrated.
 */
export function fieldValue(form: HTMLFormElement, name: string): string {
  return String(new FormData(form).get(name) ?? '');
}
