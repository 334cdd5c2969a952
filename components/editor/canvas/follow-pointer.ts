type Followed = { move: (event: PointerEvent) => void; end: () => void; cancel: () => void };

/**
 * Follows a pointer until it is lifted; `cancel` is called instead of `end` when it is taken away, by Escape, or by the
 * returned function, which does nothing once it is over.
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
