/** How far the pointer must move before a press becomes a drag, in CSS pixels. */
export const DRAG_FROM = 3;
/** Snapping distance in CSS pixels. */
export const SNAP_WITHIN = 6;

let serial = 0;

/** Returns the group of the actions of a new drag, which are one undo step. */
export function newDragGroup(): string {
  serial += 1;
  return `drag ${serial}`;
}
