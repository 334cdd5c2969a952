/** Focuses the guide at `index` once it is rendered, or the canvas if there is no such guide. */
export function focusGuide(index: number): void {
  requestAnimationFrame(() => {
    const guide = document.querySelector<HTMLElement>(`[data-guide="${index}"]`);
    (guide ?? document.querySelector<HTMLElement>('[data-desk]'))?.focus();
  });
}
