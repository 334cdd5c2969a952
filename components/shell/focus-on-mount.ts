/** A ref for an element that is focused, without scrolling, as soon as it is rendered. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}
