import { unitsOf } from '@/lib/document/groups';
import type { PageElement } from '@/lib/document/page-model';

type Elements = readonly PageElement[];

/** Returns the elements of the group that an element belongs to, or only the element if it is in no group. */
export function unitWith(elements: Elements, id: string): PageElement[] {
  return unitsOf(elements).find((unit) => unit.some((element) => element.id === id)) ?? [];
}

/**
 * Returns the id of the group in which elements are selected individually: the selection is a part of this group. Returns
 * null if there is no such group.
 */
export function enteredGroup(elements: Elements, selected: readonly string[]): string | null {
  const [first] = selected;
  const unit = first === undefined ? [] : unitWith(elements, first);
  const ids = unit.map(({ id }) => id);
  const isPart = selected.length < unit.length && selected.every((id) => ids.includes(id));
  return (isPart && unit[0]?.groupId) || null;
}

/** Returns what a click on an element selects: its group, or only the element if its group has been entered. */
export function clickedIds(elements: Elements, selected: readonly string[], id: string): string[] {
  const unit = unitWith(elements, id);
  const groupId = unit.length > 1 ? unit[0]?.groupId : undefined;
  return groupId !== undefined && groupId === enteredGroup(elements, selected)
    ? [id]
    : unit.map((element) => element.id);
}

/** Returns the selection after adding or removing what a click on an element selects. */
export function toggledIds(elements: Elements, selected: readonly string[], id: string): string[] {
  const clicked = clickedIds(elements, selected, id);
  return clicked.every((other) => selected.includes(other))
    ? selected.filter((other) => !clicked.includes(other))
    : [...new Set([...selected, ...clicked])];
}

/** Returns the ids with those of all elements in their groups. */
export function withGroupMembers(elements: Elements, ids: readonly string[]): string[] {
  const met = unitsOf(elements).filter((unit) => unit.some(({ id }) => ids.includes(id)));
  return met.flat().map(({ id }) => id);
}

/** Returns whether elements of a page are exactly one of its groups. */
export function isWholeGroup(elements: Elements, selected: Elements): boolean {
  const [first] = selected;
  if (first?.groupId === undefined || selected.length < 2) return false;
  const members = elements.filter(({ groupId }) => groupId === first.groupId);
  return members.length === selected.length && selected.every(({ groupId }) => groupId === first.groupId);
}
