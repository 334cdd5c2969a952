/** A ref callback that focuses the element on mount, without scrolling. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}
