import { freshGroupId, unitsOf, withGroup } from '@/lib/document/groups';
import { changeable, named } from './change-elements';
import { type Change, type EditorSnapshot, openPage, selectedElements, withElements } from './editor-change';
import { isWholeGroup, withGroupMembers } from './group-selection';
import { gathered } from './layers';

/** Groups the unlocked selected elements and removes them from their previous groups. */
export function groupSelected(snapshot: EditorSnapshot): Change {
  const page = openPage(snapshot);
  const { free, refused } = changeable(selectedElements(snapshot));
  if (refused) return { refused };
  const [first] = free;
  if (!page || !first || free.length < 2) return { refused: 'Select at least two elements to group them.' };
  if (isWholeGroup(page.elements, free)) return null;
  const ids = new Set(free.map(({ id }) => id));
  const groupId = freshGroupId(first.id, page.elements);
  const document = withElements(snapshot, withGroup(gathered(page.elements, ids), ids, groupId));
  return { document, selected: [...ids], message: `${named(free)}: grouped.` };
}

/** Dissolves the groups that contain unlocked selected elements. */
export function ungroupSelected(snapshot: EditorSnapshot): Change {
  const page = openPage(snapshot);
  const { free, refused } = changeable(selectedElements(snapshot));
  if (refused) return { refused };
  if (!page) return null;
  const ids = withGroupMembers(
    page.elements,
    free.map(({ id }) => id),
  );
  const groups = unitsOf(page.elements.filter(({ id }) => ids.includes(id))).filter(
    (unit) => unit.length > 1,
  );
  if (groups.length === 0) return { refused: 'The selection has no group.' };
  const document = withElements(snapshot, withGroup(page.elements, new Set(ids), undefined));
  return { document, selected: ids, message: `${named(groups.flat())}: ungrouped.` };
}
