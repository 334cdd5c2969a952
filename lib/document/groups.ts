import { freshId } from './fresh-ids';
import type { PageElement } from './page-model';
import { withoutUndefined } from './without-undefined';

// The elements of a page or master with the same `groupId` are a group. Groups are not nested. A unit is a group, or an
// element that is in no group.

type Grouped = Pick<PageElement, 'groupId'>;

function membersById<Item extends Grouped>(elements: readonly Item[]): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const element of elements) {
    if (element.groupId === undefined) continue;
    groups.set(element.groupId, [...(groups.get(element.groupId) ?? []), element]);
  }
  return groups;
}

/** Returns the units of a list of elements. A group takes the position of its last element. */
export function unitsOf<Item extends Grouped>(elements: readonly Item[]): Item[][] {
  const groups = membersById(elements);
  return elements.flatMap((element) => {
    const unit = element.groupId === undefined ? [element] : (groups.get(element.groupId) ?? [element]);
    return unit.at(-1) === element ? [unit] : [];
  });
}

/**
 * Returns the elements, with `groupId` set on each element whose id is in `ids`. If `groupId` is undefined, these
 * elements leave their groups.
 */
export function withGroup(
  elements: readonly PageElement[],
  ids: ReadonlySet<string>,
  groupId: string | undefined,
): PageElement[] {
  return elements.map((element) =>
    ids.has(element.id) ? withoutUndefined({ ...element, groupId }) : element,
  );
}

/** Returns the elements with each single-element group dissolved, or the same array if there is no such group. */
export function withoutLoneGroups(elements: readonly PageElement[]): readonly PageElement[] {
  const lone = [...membersById(elements).values()].flatMap((members) =>
    members.length === 1 ? members : [],
  );
  return lone.length === 0 ? elements : withGroup(elements, new Set(lone.map(({ id }) => id)), undefined);
}

/** Returns the id of a new group, which is derived from the id of its first element. */
export function freshGroupId(firstId: string, elements: readonly Grouped[]): string {
  return freshId(firstId, new Set(membersById(elements).keys()));
}

/** Returns `added` with new group ids where necessary, so that `added` and `elements` have no group id in common. */
export function withFreshGroups(added: readonly PageElement[], elements: readonly Grouped[]): PageElement[] {
  const taken = new Set(membersById(elements).keys());
  const fresh = new Map<string, string>();
  for (const groupId of membersById(added).keys()) {
    const id = freshId(groupId, taken);
    taken.add(id);
    fresh.set(groupId, id);
  }
  return added.map((element) => {
    const groupId = element.groupId === undefined ? undefined : fresh.get(element.groupId);
    return groupId === element.groupId ? element : { ...element, groupId };
  });
}
