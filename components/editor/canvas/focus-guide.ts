/** Focuses a guide of the page once it is rendered, or the canvas if `index` is null or there is no such guide. */
export function focusGuide(index: number | null): void {
  requestAnimationFrame(() => {
    const guide = document.querySelector<HTMLElement>(`[data-guide="${index}"]`);
    (guide ?? document.querySelector<HTMLElement>('[data-desk]'))?.focus();
  });
}
