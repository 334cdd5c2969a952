import { withoutLoneGroups } from '../groups';
import { mergedGuides } from '../guides';
import { type PageData, type PageElement, type PageGuide, styleField } from '../page-model';
import { isStyled, withOverridden, withOwnOverrides } from '../styles/apply-styles';
import type { ParagraphStyle } from '../styles/named-styles';
import { withoutUndefined } from '../without-undefined';
import { colorUnit, type Decide, mergeFields } from './merge-fields';
import { mergeItems, withIdsApart } from './merge-items';
import { mergeOrder } from './merge-order';
import { canonicalText, isSame } from './same-value';

/** A page or a master. */
type Place = { list: 'pages' | 'masters'; pageId: string };
type Sides<Value> = { base: Value; mine: Value; theirs: Value };

const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);
const isSameExceptZ = (a: PageElement, b: PageElement) => isSame({ ...a, z: 0 }, { ...b, z: 0 });
const isEditedElement = (from: PageElement, to: PageElement) => !isSameExceptZ(from, to);

function isEditedPage(from: PageData, to: PageData): boolean {
  const byId = new Map(from.elements.map((element) => [element.id, element]));
  return (
    !isSame({ ...from, elements: [] }, { ...to, elements: [] }) ||
    from.elements.length !== to.elements.length ||
    to.elements.some((element) => {
      const old = byId.get(element.id);
      return !old || isEditedElement(old, element);
    })
  );
}

/** Returns the ids of elements in stacking order, bottom first. */
function layersOf(elements: readonly PageElement[]): string[] {
  return idsOf(elements.toSorted((a, b) => a.z - b.z));
}

/** Returns the `z` of the side that changed it, or the greater one if both sides changed it. */
function mergedZ({ base, mine, theirs }: Sides<PageElement>): number {
  if (mine.z === base.z) return theirs.z;
  return theirs.z === base.z ? mine.z : Math.max(mine.z, theirs.z);
}

const overridesOf = (element: PageElement) => (isStyled(element) ? (element.overrides ?? []) : []);

/** Merges the overrides as sets. If the element's style exists, `withOwnOverrides` replaces the result later. */
function withMergedOverrides(element: PageElement, { base, mine, theirs }: Sides<PageElement>): PageElement {
  if (!isStyled(element)) return element;
  const [old, own, other] = [overridesOf(base), overridesOf(mine), overridesOf(theirs)];
  const fields = styleField.options.filter((field) =>
    old.includes(field)
      ? own.includes(field) && other.includes(field)
      : own.includes(field) || other.includes(field),
  );
  return withOverridden(element, fields);
}

const grows = (element: PageElement) => element.type === 'text' && element.grows === true;
const growsInBoth = (mine: PageElement, theirs: PageElement) => grows(mine) && grows(theirs);

/**
 * Takes the breaks from the side that changed them, or from `mine` if both sides did. Breaks never conflict, because
 * the editor measures the merged table again.
 */
function withMergedBreaks(element: PageElement, { base, mine, theirs }: Sides<PageElement>): PageElement {
  if (element.type !== 'table' || base.type !== 'table' || mine.type !== 'table' || theirs.type !== 'table')
    return element;
  const { breaks } = isSame(base.breaks, mine.breaks) ? theirs : mine;
  return isSame(element.breaks, breaks) ? element : withoutUndefined({ ...element, breaks });
}

/**
 * Merges the height of a text element that grows with its content in both versions. Takes the height of the side that
 * changed it. If both sides changed it, takes the greater height, because the editor's automatic changes only increase
 * it.
 */
function withMergedHeight(element: PageElement, { base, mine, theirs }: Sides<PageElement>): PageElement {
  if (!growsInBoth(mine, theirs)) return element;
  const h = mine.h === base.h ? theirs.h : theirs.h === base.h ? mine.h : Math.max(mine.h, theirs.h);
  return element.h === h ? element : { ...element, h };
}

function mergeElement(
  sides: Sides<PageElement>,
  place: Place,
  styles: readonly ParagraphStyle[],
  decide: Decide,
): PageElement {
  const { base, mine, theirs } = sides;
  const versions = [base, mine, theirs];
  const isOneType = versions.every(({ type }) => type === mine.type);
  const widths = versions.map((element) => (element.type === 'table' ? element.columns.length : 0));
  const isOneWidth = widths.every((width) => width === widths[0]);
  const location = { ...place, elementId: mine.id };
  if (!isOneType) {
    if (isSameExceptZ(mine, theirs) || isSameExceptZ(base, theirs)) return mine;
    const conflict = { kind: 'property' as const, ...location, property: 'type', mine, theirs };
    const isConflict = !isSameExceptZ(base, mine);
    return isConflict && decide({ ...conflict, keeps: 'mine' }) === 'mine' ? mine : theirs;
  }
  const unitOf = (key: string) => {
    if (key === 'id' || key === 'type' || key === 'z' || key === 'overrides') return null;
    if (key === 'breaks' || (key === 'h' && growsInBoth(mine, theirs))) return null;
    if (key === 'imageId' || key === 'path') return 'image';
    // Each row has one cell per column. If a side changed the number of columns, merge columns and rows as one unit.
    return !isOneWidth && (key === 'columns' || key === 'rows') ? 'table' : colorUnit(key);
  };
  const fields = mergeFields(sides, unitOf, location, decide);
  const merged = withOwnOverrides(
    withMergedOverrides(withMergedHeight(withMergedBreaks(fields, sides), sides), sides),
    styles,
  );
  const z = mergedZ(sides);
  return merged.z === z ? merged : { ...merged, z };
}

function mergeElements(
  given: Sides<readonly PageElement[]>,
  place: Place,
  styles: readonly ParagraphStyle[],
  decide: Decide,
): readonly PageElement[] {
  const sides = withIdsApart(given, isSameExceptZ);
  const orders = (of: (elements: readonly PageElement[]) => string[]) => ({
    base: of(sides.base),
    mine: of(sides.mine),
    theirs: of(sides.theirs),
  });
  const [order, layers] = [orders(idsOf), orders(layersOf)];
  const isMineFirst = canonicalText([order.mine, layers.mine]) < canonicalText([order.theirs, layers.theirs]);
  const inOrder = ({ base, mine, theirs }: Sides<string[]>) =>
    isMineFirst ? mergeOrder(base, mine, theirs) : mergeOrder(base, theirs, mine);
  const merged = mergeItems(
    sides,
    inOrder(order),
    {
      merge: (element) => mergeElement(element, place, styles, decide),
      isEdited: isEditedElement,
      locationOf: (elementId) => ({ ...place, elementId }),
    },
    decide,
  );
  // The merge can leave an element alone in its group, because the other members were removed or regrouped. Dissolve
  // such groups.
  const elements = withoutLoneGroups(merged);
  const kept = new Set(idsOf(elements));
  const stacked = inOrder(layers).filter((id) => kept.has(id));
  if (isSame(layersOf(elements), stacked)) return elements;
  return elements.map((element) => ({ ...element, z: stacked.indexOf(element.id) }));
}

/** Returns whether two lists have identical items (`===`) in the same order. */
export const isEqualList = (a: readonly unknown[], b: readonly unknown[]) =>
  a.length === b.length && a.every((item, index) => item === b[index]);

function withGuides(page: PageData, guides: readonly PageGuide[] = []): PageData {
  return withoutUndefined({ ...page, guides: guides.length > 0 ? [...guides] : undefined });
}

function mergePage(
  list: Place['list'],
  { base, mine, theirs }: Sides<PageData>,
  styles: readonly ParagraphStyle[],
  decide: Decide,
): PageData {
  if (theirs === base || isSame(theirs, base) || isSame(theirs, mine)) return mine;
  const place = { list, pageId: mine.id };
  const unitOf = (key: string) => (['id', 'elements', 'guides'].includes(key) ? null : colorUnit(key));
  const fields = mergeFields({ base, mine, theirs }, unitOf, { ...place, elementId: null }, decide);
  const guides = mergedGuides({ base: base.guides, mine: mine.guides, theirs: theirs.guides });
  const page = guides === mine.guides ? fields : withGuides(fields, guides);
  const sides = { base: base.elements, mine: mine.elements, theirs: theirs.elements };
  const elements = mergeElements(sides, place, styles, decide);
  return isEqualList(elements, mine.elements) ? page : { ...page, elements: [...elements] };
}

/**
 * Merges the pages or the masters of two versions of a document that were changed independently from `base`. The
 * elements of all three versions must already hold the values of the merged `styles`.
 */
export function mergePages(
  list: Place['list'],
  given: Sides<readonly PageData[]>,
  styles: readonly ParagraphStyle[],
  decide: Decide,
): PageData[] {
  const sides = withIdsApart(given, (a, b) => !isEditedPage(a, b));
  const [base, mine, theirs] = [idsOf(sides.base), idsOf(sides.mine), idsOf(sides.theirs)];
  const ids =
    canonicalText(mine) < canonicalText(theirs)
      ? mergeOrder(base, mine, theirs)
      : mergeOrder(base, theirs, mine);
  return mergeItems(
    sides,
    ids,
    {
      merge: (page) => mergePage(list, page, styles, decide),
      isEdited: isEditedPage,
      locationOf: (pageId) => ({ list, pageId, elementId: null }),
    },
    decide,
  );
}
