type Followed = { move: (event: PointerEvent) => void; end: () => void; cancel: () => void };

/**
 * Tracks a pointer until it is released, then calls `end`. Calls `cancel` instead on `pointercancel`, on Escape, or
 * when the returned function is called. The returned function has no effect after tracking has ended.
 */
export function followPointer(pointerId: number, on: Followed): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const own = (then: (event: PointerEvent) => void) => (event: PointerEvent) => {
    if (event.pointerId === pointerId) then(event);
  };
  const stop = (then: () => void) => () => {
    if (signal.aborted) return;
    controller.abort();
    then();
  };
  window.addEventListener('pointermove', own(on.move), { signal });
  window.addEventListener('pointerup', own(stop(on.end)), { signal });
  window.addEventListener('pointercancel', own(stop(on.cancel)), { signal });
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      stop(on.cancel)();
    },
    { signal, capture: true },
  );
  return stop(on.cancel);
}
