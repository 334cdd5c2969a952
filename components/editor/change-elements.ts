import { countOf } from '@/components/format/count';
import type { Frame } from '@/lib/document/bounds';
import { withFreshIds } from '@/lib/document/fresh-ids';
import { unitsOf, withFreshGroups } from '@/lib/document/groups';
import {
  elementFields,
  MAX_ELEMENTS,
  type PageData,
  type PageElement,
  pageElement,
} from '@/lib/document/page-model';
import { MAX_BLEED_MM } from '@/lib/document/schema';
import { sheetSize } from '@/lib/document/sheets';
import { withOverrides } from '@/lib/document/styles/apply-styles';
import { flowIdsOf, withoutTakenFlows } from '@/lib/document/table-flow';
import { withoutUndefined } from '@/lib/document/without-undefined';
import {
  type Change,
  copiedElements,
  type EditorSnapshot,
  limitMessage,
  openPage,
  selectedElements,
  withElements,
} from './editor-change';
import { elementLabel } from './element-labels';
import { type Alignment, type Axis, aligned, distributed } from './geometry/align';
import { boundedFrame, sameFrame } from './geometry/frames';
import { movedUnits } from './geometry/units';
import { type LayerMove, layered, movedToLayer, onTop } from './layers';

/** New values for fields of any element type. A field is changed only in elements whose type has it. */
export type ElementPatch = {
  [Key in PageElement extends infer Kind ? (Kind extends unknown ? keyof Kind : never) : never]?: unknown;
};

const lockedMessage = (elements: readonly PageElement[]) =>
  elements.length === 1
    ? 'The element is locked. Unlock it first.'
    : 'The elements are locked. Unlock them first.';

/**
 * Returns the unlocked elements as `free`. `refused` is a message for the user if there are elements and all of them
 * are locked, otherwise null.
 */
export function changeable(elements: readonly PageElement[]): {
  free: PageElement[];
  refused: string | null;
} {
  const free = elements.filter(({ locked }) => !locked);
  return { free, refused: elements.length > 0 && free.length === 0 ? lockedMessage(elements) : null };
}

/** Returns the text that stands for elements in messages: the label of a single element, or a count (`3 elements`). */
export function named(elements: readonly PageElement[]): string {
  const [only] = elements;
  return only && elements.length === 1 ? elementLabel(only) : countOf(elements.length, 'element');
}

/** Returns the page's elements after applying `change` to each, or null if no element changes. */
function replaced(page: PageData, change: (element: PageElement) => PageElement): PageElement[] | null {
  const elements = page.elements.map(change);
  return elements.some((element, index) => element !== page.elements[index]) ? elements : null;
}

/** Adds elements to the open page or master, on top of its other elements, and selects them. */
export function addElements(snapshot: EditorSnapshot, added: readonly PageElement[], verb = 'added'): Change {
  const page = openPage(snapshot);
  if (!page || added.length === 0) return page ? null : { refused: 'Open a page first.' };
  const { elements } = withoutTakenFlows(
    { ...page, elements: [...added] },
    flowIdsOf(snapshot.document.pages),
  );
  const fresh = withFreshGroups(withFreshIds(elements, page.elements), page.elements);
  if (page.elements.length + fresh.length > MAX_ELEMENTS) {
    return { refused: `A page has at most ${MAX_ELEMENTS} elements.` };
  }
  const document = withElements(snapshot, onTop(page.elements, fresh));
  const refused = limitMessage(document.pages);
  if (refused) return { refused };
  return { document, selected: fresh.map(({ id }) => id), message: `${named(fresh)}: ${verb}.` };
}

/**
 * Makes the unlocked selected elements fill the page, without rotation. Images and shapes extend beyond the page by the
 * largest possible bleed, so that trimming leaves no white line. An export crops them to its own bleed.
 */
export function fillPage(snapshot: EditorSnapshot): Change {
  const { width, height } = sheetSize(snapshot.document);
  return frameSelected(snapshot, (elements) =>
    elements.map((element) => {
      const beyond = element.type === 'image' || element.type === 'shape' ? MAX_BLEED_MM : 0;
      const frame = { x: -beyond, y: -beyond, w: width + 2 * beyond, h: height + 2 * beyond, rotation: 0 };
      return { ...element, ...frame };
    }),
  );
}

/** Duplicates the selected elements. The copies are unlocked, and offset by `by` millimeters right and down. */
export function duplicateSelected(snapshot: EditorSnapshot, by: number): Change {
  const copies = copiedElements(snapshot).map((element) => ({
    ...element,
    ...boundedFrame({ ...element, x: element.x + by, y: element.y + by }),
    locked: false,
  }));
  return addElements(snapshot, copies, 'duplicated');
}

/** Changes fields of elements on the open page or master. A locked element can only be unlocked or renamed. */
export function changeElements(
  snapshot: EditorSnapshot,
  ids: readonly string[],
  patch: ElementPatch,
): Change {
  const page = openPage(snapshot);
  if (!page) return null;
  const wanted = new Set(ids);
  const evenLocked = Object.keys(patch).every((key) => key === 'locked' || key === 'name');
  const targets = page.elements.filter(({ id }) => wanted.has(id));
  if (!evenLocked) {
    const { refused } = changeable(targets);
    if (refused) return { refused };
  }
  let wrong: string | null = null;
  const elements = replaced(page, (element) => {
    if (!wanted.has(element.id) || (element.locked && !evenLocked)) return element;
    const own = Object.entries(patch).filter(
      ([key, value]) => key in elementFields[element.type] && element[key as keyof PageElement] !== value,
    );
    if (own.length === 0) return element;
    const parsed = pageElement.safeParse({ ...element, ...Object.fromEntries(own) });
    if (parsed.success) {
      // Keep the given values rather than the parsed ones, so that unchanged values keep their object identity.
      const next = withoutUndefined({ ...element, ...Object.fromEntries(own) } as PageElement);
      const keys = own.map(([key]) => key);
      return keys.includes('styleId') || keys.includes('overrides')
        ? next
        : withOverrides(next, keys, snapshot.document.styles);
    }
    const issue = parsed.error.issues[0];
    wrong ??= `${elementLabel(element)}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is not valid'}.`;
    return element;
  });
  if (wrong !== null) return { refused: wrong };
  if (!elements) return null;
  const document = withElements(snapshot, elements);
  const shows = 'imageId' in patch || 'path' in patch || 'rows' in patch;
  const refused = shows ? limitMessage(document.pages) : null;
  return refused ? { refused } : { document };
}

/**
 * Sets the frames of elements of the open page or master, clamped to the limits of the page model. Skips locked
 * elements.
 */
export function frameElements(snapshot: EditorSnapshot, frames: Readonly<Record<string, Frame>>): Change {
  const page = openPage(snapshot);
  if (!page) return null;
  const elements = replaced(page, (element) => {
    const frame = Object.hasOwn(frames, element.id) ? frames[element.id] : undefined;
    if (!frame || element.locked) return element;
    const next = boundedFrame(frame);
    return sameFrame(next, element) ? element : { ...element, ...next };
  });
  return elements && { document: withElements(snapshot, elements) };
}

function frameSelected(snapshot: EditorSnapshot, change: (elements: PageElement[]) => PageElement[]): Change {
  const { free, refused } = changeable(selectedElements(snapshot));
  if (refused) return { refused };
  return frameElements(snapshot, Object.fromEntries(change(free).map((element) => [element.id, element])));
}

/** Moves the unlocked selected elements by `dx` and `dy` millimeters. */
export function moveSelected(snapshot: EditorSnapshot, dx: number, dy: number): Change {
  return frameSelected(snapshot, (elements) =>
    elements.map((element) => ({ ...element, x: element.x + dx, y: element.y + dy })),
  );
}

export function alignSelected(snapshot: EditorSnapshot, alignment: Alignment): Change {
  return frameSelected(snapshot, (elements) =>
    movedUnits(unitsOf(elements), (frames) => aligned(frames, alignment, sheetSize(snapshot.document))),
  );
}

export function distributeSelected(snapshot: EditorSnapshot, axis: Axis): Change {
  const { free } = changeable(selectedElements(snapshot));
  const units = unitsOf(free);
  if (units.length < 3) return { refused: 'Select at least three elements to distribute them.' };
  return frameSelected(snapshot, () => movedUnits(units, (frames) => distributed(frames, axis)));
}

export function removeSelected(snapshot: EditorSnapshot, verb = 'deleted'): Change {
  const page = openPage(snapshot);
  const { free, refused } = changeable(selectedElements(snapshot));
  if (refused) return { refused };
  if (!page || free.length === 0) return null;
  const removed = new Set(free);
  const document = withElements(
    snapshot,
    page.elements.filter((element) => !removed.has(element)),
  );
  return { document, selected: [], message: `${named(free)}: ${verb}.` };
}

/** Moves the unlocked selected elements forward, backward, to the front or to the back in the layer order. */
export function layerSelected(snapshot: EditorSnapshot, move: LayerMove): Change {
  const page = openPage(snapshot);
  const { free, refused } = changeable(selectedElements(snapshot));
  if (refused) return { refused };
  if (!page) return null;
  const elements = layered(page.elements, new Set(free.map(({ id }) => id)), move);
  const message = { front: 'to the front', forward: 'forward', backward: 'backward', back: 'to the back' }[
    move
  ];
  return elements === page.elements
    ? null
    : { document: withElements(snapshot, elements), message: `${named(free)}: moved ${message}.` };
}

/** Moves an element, or its group, to an index in the layers, where 0 is the bottom and a group is one layer. */
export function moveToLayer(snapshot: EditorSnapshot, id: string, to: number): Change {
  const page = openPage(snapshot);
  if (!page) return null;
  const target = Math.min(Math.max(to, 0), unitsOf(page.elements).length - 1);
  const elements = movedToLayer(page.elements, id, target);
  return elements === page.elements ? null : { document: withElements(snapshot, elements) };
}

/** Locks or unlocks elements. Deselects the elements that it locks, and selects those that it unlocks. */
export function lockElements(snapshot: EditorSnapshot, ids: readonly string[], locked: boolean): Change {
  const change = changeElements(snapshot, ids, { locked });
  if (!change || 'refused' in change) return change;
  const wanted = new Set(ids);
  const elements = openPage(snapshot)?.elements.filter(({ id }) => wanted.has(id)) ?? [];
  return {
    ...change,
    selected: locked ? snapshot.selected.filter((id) => !wanted.has(id)) : elements.map(({ id }) => id),
    message: `${named(elements)}: ${locked ? 'locked' : 'unlocked'}.`,
  };
}
