import { unitsOf } from '@/lib/document/groups';
import type { PageElement } from '@/lib/document/page-model';

type Elements = readonly PageElement[];

/** Returns all elements in an element's group, or only the element if it is in no group. */
export function unitWith(elements: Elements, id: string): PageElement[] {
  return unitsOf(elements).find((unit) => unit.some((element) => element.id === id)) ?? [];
}

/**
 * Returns the id of the group that the user has entered, or null. A group counts as entered while the selection is only
 * a part of it.
 */
export function enteredGroup(elements: Elements, selected: readonly string[]): string | null {
  const [first] = selected;
  const unit = first === undefined ? [] : unitWith(elements, first);
  const ids = unit.map(({ id }) => id);
  const isPart = selected.length < unit.length && selected.every((id) => ids.includes(id));
  return (isPart && unit[0]?.groupId) || null;
}

/**
 * Returns what a click on an element selects: its group, or only the element if it is in no group or the user has
 * entered its group.
 */
export function clickedIds(elements: Elements, selected: readonly string[], id: string): string[] {
  const unit = unitWith(elements, id);
  const groupId = unit.length > 1 ? unit[0]?.groupId : undefined;
  return groupId !== undefined && groupId === enteredGroup(elements, selected)
    ? [id]
    : unit.map((element) => element.id);
}

/**
 * Returns the selection after a click that toggles an element or its group. If the element, or every element of the
 * group, is already selected, removes it from the selection. Otherwise, adds it.
 */
export function toggledIds(elements: Elements, selected: readonly string[], id: string): string[] {
  const clicked = clickedIds(elements, selected, id);
  return clicked.every((other) => selected.includes(other))
    ? selected.filter((other) => !clicked.includes(other))
    : [...new Set([...selected, ...clicked])];
}

/** Returns the given ids and the ids of all other elements in the same groups. */
export function withGroupMembers(elements: Elements, ids: readonly string[]): string[] {
  const met = unitsOf(elements).filter((unit) => unit.some(({ id }) => ids.includes(id)));
  return met.flat().map(({ id }) => id);
}

/** Returns whether the selected elements are exactly the members of one group. */
export function isWholeGroup(elements: Elements, selected: Elements): boolean {
  const [first] = selected;
  if (first?.groupId === undefined || selected.length < 2) return false;
  const members = elements.filter(({ groupId }) => groupId === first.groupId);
  return members.length === selected.length && selected.every(({ groupId }) => groupId === first.groupId);
}
