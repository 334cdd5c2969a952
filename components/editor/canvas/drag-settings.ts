/** Distance in CSS pixels that the pointer must move before a press becomes a drag. */
export const DRAG_FROM = 3;
/** Snapping distance in CSS pixels. */
export const SNAP_WITHIN = 6;

let serial = 0;

/** Returns an undo group for a new drag, so that its actions are one undo step. */
export function newDragGroup(): string {
  serial += 1;
  return `drag ${serial}`;
}
