import { followPointer } from './follow-pointer';

let cancelCurrent: (() => void) | null = null;

/** Cancels the drag on the canvas, if there is one. */
export function cancelDrag(): void {
  cancelCurrent?.();
  cancelCurrent = null;
}

/** Tracks a drag on the canvas. First cancels the previous drag, because only one can be in progress. */
export function trackDrag(...[pointerId, on]: Parameters<typeof followPointer>): void {
  cancelDrag();
  cancelCurrent = followPointer(pointerId, on);
}
