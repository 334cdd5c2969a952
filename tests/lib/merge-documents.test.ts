import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EditorAction } from '@/components/editor/editor-action';
import { editorReducer } from '@/components/editor/editor-reducer';
import { openEditor } from '@/components/editor/editor-state';
import { inLayers } from '@/components/editor/layers';
import { type Choose, type Conflict, conflictKey } from '@/lib/document/merge/conflict';
import { changeBetween, chosenSides, mergeDocuments } from '@/lib/document/merge/merge-documents';
import { canonicalText, isSame } from '@/lib/document/merge/same-value';
import {
  documentPages,
  MAX_DOCUMENT_PAGES,
  type PageInput,
  pageData,
  pageElement,
} from '@/lib/document/page-model';
import { type DocumentContent, projectDocument } from '@/lib/document/schema';

const frame = { x: 10, y: 10, w: 40, h: 20 };
const shape = (id: string, more: object = {}) => ({
  ...frame,
  id,
  type: 'shape' as const,
  kind: 'rect' as const,
  ...more,
});
const words = (id: string, text: string) => ({
  ...frame,
  id,
  type: 'text' as const,
  blocks: [{ type: 'paragraph' as const, runs: [{ text }] }],
});
const image = (id: string, more: object = {}) => ({ ...frame, id, type: 'image' as const, ...more });
const table = (id: string, ...rows: string[][]) => ({
  ...frame,
  id,
  type: 'table' as const,
  columns: (rows[0] ?? []).map((_, index) => ({ label: `Column ${index}` })),
  rows,
});
const page = (id: string, ...elements: PageInput['elements']): PageInput => ({ id, elements });

function documentOf(...pages: PageInput[]): DocumentContent {
  const { version: _, ...content } = projectDocument.parse({ version: 1, pages });
  return content;
}

/** Returns the document after applying editor actions. */
function edited(document: DocumentContent, ...actions: EditorAction[]): DocumentContent {
  return actions.reduce(editorReducer, openEditor(document)).document;
}
const opened = (pageId: string): EditorAction => ({ type: 'page-opened', pageId });
const patched = (id: string, patch: object): EditorAction => ({ type: 'elements-changed', ids: [id], patch });
const titled = (pageId: string, title: string): EditorAction => ({
  type: 'page-changed',
  pageId,
  patch: { title },
});

const elementOf = ({ pages }: DocumentContent, id: string) =>
  pages.flatMap(({ elements }) => elements).find((element) => element.id === id);
const summary = ({ kind, pageId, elementId, property, mine, theirs }: Conflict) => [
  kind,
  pageId,
  elementId,
  property,
  mine,
  theirs,
];

const start = documentOf(
  page('p', shape('s'), words('t', 'Hello'), image('i'), table('grid', ['a', 'b'], ['c', 'd'])),
  page('q', shape('r')),
  page('o'),
);

describe('mergeDocuments', () => {
  test('changes of different pages, elements and properties all stay', () => {
    const mine = edited(start, titled('q', 'Mine'), patched('s', { x: 55 }), {
      type: 'document-changed',
      patch: { language: 'nb' },
    });
    const theirs = edited(
      start,
      titled('o', 'Theirs'),
      patched('s', { w: 77 }),
      patched('t', { fontSize: 20 }),
      {
        type: 'document-changed',
        patch: { cover: { ...start.cover, client: 'Theirs' } },
      },
    );
    const { document, conflicts } = mergeDocuments(start, mine, theirs);
    expect(conflicts).toEqual([]);
    expect(document.pages.map(({ title }) => title)).toEqual(['', 'Mine', 'Theirs']);
    expect(elementOf(document, 's')).toMatchObject({ x: 55, w: 77 });
    expect(elementOf(document, 't')).toMatchObject({ fontSize: 20 });
    expect(document).toMatchObject({ language: 'nb', cover: { client: 'Theirs' } });
    expect(document.pages[1]).toBe(mine.pages[1]);
  });

  test('different values of one property are a conflict that keeps mine unless theirs is chosen', () => {
    const mine = edited(start, titled('q', 'Mine'), patched('s', { x: 1, y: 2 }));
    const theirs = edited(start, titled('q', 'Theirs'), patched('s', { x: 3, y: 2 }));
    const { document, conflicts } = mergeDocuments(start, mine, theirs);
    expect(conflicts.map(summary)).toEqual([
      ['property', 'p', 's', 'x', 1, 3],
      ['property', 'q', null, 'title', 'Mine', 'Theirs'],
    ]);
    expect(document).toEqual(mine);
    expect(mergeDocuments(start, mine, theirs, () => 'theirs').document).toEqual(theirs);
    const choose = chosenSides(new Map([['["property","pages","q",null,"title"]', 'theirs']]));
    const mixed = mergeDocuments(start, mine, theirs, choose).document;
    expect([elementOf(mixed, 's')?.x, mixed.pages[1]?.title]).toEqual([1, 'Theirs']);
  });

  test('conflicts on a page and on a master with the same id are decided one by one', () => {
    const titles = (title: string): DocumentContent => ({
      ...documentOf({ id: 'default', title, elements: [] }),
      masters: [pageData.parse({ id: 'default', title, elements: [] })],
    });
    const [base, mine, theirs] = [titles(''), titles('Mine'), titles('Theirs')];
    const [ofMaster, ofPage] = mergeDocuments(base, mine, theirs).conflicts.map(conflictKey);
    expect(ofMaster).not.toBe(ofPage);
    const choose = chosenSides(new Map([[ofMaster ?? '', 'theirs']]));
    const { masters, pages } = mergeDocuments(base, mine, theirs, choose).document;
    expect([masters[0]?.title, pages[0]?.title]).toEqual(['Theirs', 'Mine']);
  });

  test('a text that both sides made grow gets the greater height without a conflict', () => {
    const document = documentOf(page('p', { ...words('t', 'Oak'), grows: true }));
    const grown = (height: number) => edited(document, { type: 'texts-grown', heights: { t: height } });
    const [mine, theirs] = [grown(30), grown(50)];
    for (const [own, other] of [
      [mine, theirs],
      [theirs, mine],
    ] as const) {
      const { document: merged, conflicts } = mergeDocuments(document, own, other);
      expect(conflicts).toEqual([]);
      expect(elementOf(merged, 't')).toMatchObject({ h: 50 });
    }
  });

  test('a change wins over a removal, and this is a conflict whichever side removes', () => {
    const removed = edited(
      start,
      { type: 'selected', ids: ['s'] },
      { type: 'removed' },
      {
        type: 'page-removed',
        pageId: 'q',
      },
    );
    const changed = edited(start, patched('s', { x: 9 }), opened('q'), patched('r', { y: 9 }));
    const mine = mergeDocuments(start, removed, changed);
    const theirs = mergeDocuments(start, changed, removed);
    expect(mine.document).toEqual(changed);
    expect(theirs.document).toEqual(changed);
    const where = ({ kind, pageId, elementId, keeps }: Conflict) => [kind, pageId, elementId, keeps];
    expect(mine.conflicts.map(where)).toEqual([
      ['removal', 'p', 's', 'theirs'],
      ['removal', 'q', null, 'theirs'],
    ]);
    expect(mergeDocuments(start, removed, changed, () => 'mine').document).toEqual(removed);
    expect(mergeDocuments(start, changed, removed, () => 'theirs').document).toEqual(removed);
  });

  test('the removal of an element is merged without a conflict if the other side only changed its layer', () => {
    const removed = edited(start, { type: 'selected', ids: ['s'] }, { type: 'removed' });
    const layered = edited(start, { type: 'selected', ids: ['grid'] }, { type: 'layered', move: 'back' });
    const { document, conflicts } = mergeDocuments(start, removed, layered);
    expect(conflicts).toEqual([]);
    expect(inLayers(document.pages[0]?.elements ?? []).map(({ id }) => id)).toEqual(['grid', 't', 'i']);
  });

  test('pages and elements that both sides add and move stay, in the same order whichever side is mine', () => {
    const mine = edited(
      start,
      { type: 'elements-added', elements: [pageData.parse(page('x', shape('mine'))).elements].flat() },
      { type: 'selected', ids: ['s'] },
      { type: 'layered', move: 'front' },
      { type: 'pages-added', pages: [pageData.parse(page('m'))], after: 'p' },
    );
    const theirs = edited(
      start,
      { type: 'elements-added', elements: [pageData.parse(page('x', shape('theirs'))).elements].flat() },
      { type: 'page-moved', pageId: 'o', to: 0 },
      { type: 'pages-added', pages: [pageData.parse(page('n'))], after: 'p' },
    );
    const { document, conflicts } = mergeDocuments(start, mine, theirs);
    expect(conflicts).toEqual([]);
    expect(mergeDocuments(start, theirs, mine).document).toEqual(document);
    const ids = document.pages.map(({ id }) => id);
    expect(ids.toSorted()).toEqual(['m', 'n', 'o', 'p', 'q']);
    expect(ids[0]).toBe('o');
    const layers = inLayers(document.pages[1]?.elements ?? []).map(({ id }) => id);
    expect(layers.toSorted()).toEqual(['grid', 'i', 'mine', 's', 't', 'theirs']);
    expect(layers.indexOf('s')).toBeGreaterThan(layers.indexOf('mine'));
  });

  test('elements that both sides added with the same id both stay, and their new ids do not depend on which side is mine', () => {
    const duplicate: EditorAction[] = [{ type: 'selected', ids: ['s'] }, { type: 'duplicated' }];
    const mine = edited(start, ...duplicate, patched('s-2', { radius: 3 }));
    const theirs = edited(start, ...duplicate, patched('s-2', { radius: 5 }));
    const { document, conflicts } = mergeDocuments(start, mine, theirs);
    expect(conflicts).toEqual([]);
    expect(mergeDocuments(start, theirs, mine).document).toEqual(document);
    const copies = document.pages[0]?.elements.filter(({ id }) => /^s-\d/.test(id));
    expect(copies).toMatchObject([{ type: 'shape' }, { type: 'shape' }]);
    expect(copies?.map((copy) => copy.type === 'shape' && copy.radius).sort()).toEqual([3, 5]);
  });

  test('fields that depend on each other are merged as one property, so the result is valid', () => {
    const first = '0b8f6c52-8a9c-4b3e-9d55-0a9f31f4a001';
    const mine = edited(start, patched('i', { imageId: first }), patched('grid', { rows: [['x', 'y']] }));
    const theirs = edited(
      start,
      patched('i', { path: 'uploads/one.png' }),
      patched('grid', { columns: [{ label: 'Only', width: 1, align: 'left' }], rows: [['a'], ['c']] }),
    );
    const { document, conflicts } = mergeDocuments(start, mine, theirs, () => 'theirs');
    expect(conflicts.map(({ elementId, property }) => [elementId, property])).toEqual([
      ['i', 'image'],
      ['grid', 'table'],
    ]);
    expect(document).toEqual(theirs);
    // If the number of columns stays the same, columns and rows are merged as separate properties.
    const labels = edited(
      start,
      patched('grid', { columns: ['Room', 'Finish'].map((label) => ({ label, width: 1, align: 'left' })) }),
    );
    const grid = elementOf(mergeDocuments(start, mine, labels).document, 'grid');
    expect(grid).toMatchObject({ columns: [{ label: 'Room' }, { label: 'Finish' }], rows: [['x', 'y']] });
  });

  test('changes of different masters, elements of one master and settings all stay', () => {
    const base = documentOf(page('a'));
    const onMaster: EditorAction = { type: 'sheet-opened', sheet: { kind: 'master', id: 'default' } };
    const added = (id: string): EditorAction => ({
      type: 'elements-added',
      elements: [pageElement.parse(words(id, id))],
    });
    const logo = pageData.parse(page('logo'));
    const paper = { format: 'custom', customSize: { width: 120, height: 80 } } as const;
    const mine = edited(base, onMaster, added('m'), { type: 'document-changed', patch: paper });
    const theirs = edited(
      base,
      onMaster,
      added('t'),
      { type: 'master-added', master: logo, user: { pageId: 'a' } },
      { type: 'document-changed', patch: { includecover: true, margin: 20 } },
    );
    for (const [one, other] of [
      [mine, theirs],
      [theirs, mine],
    ] as const) {
      const { document, conflicts } = mergeDocuments(base, one, other);
      expect(conflicts).toEqual([]);
      expect(document).toMatchObject({ ...paper, includecover: true, margin: 20 });
      expect(document.masters.map(({ id }) => id)).toEqual(['default', 'logo']);
      expect(document.masters[0]?.elements.map(({ id }) => id).sort()).toEqual(['m', 't']);
      expect(document.pages[0]?.masterId).toBe('logo');
    }
    const square = edited(base, { type: 'document-changed', patch: { format: 'square' } });
    expect(mergeDocuments(base, mine, square).conflicts.map(({ property }) => property)).toEqual(['format']);
  });

  test('versions that together exceed the limits, or have no known base, are one conflict about the whole document', () => {
    const full = (name: string) =>
      documentOf(...Array.from({ length: MAX_DOCUMENT_PAGES - 1 }, (_, index) => page(`${name}${index}`)));
    const both: [DocumentContent | null, DocumentContent, DocumentContent][] = [
      [documentOf(), full('a'), full('b')],
      [null, edited(start, titled('q', 'Mine')), start],
    ];
    for (const [base, mine, theirs] of both) {
      const { document, conflicts } = mergeDocuments(base, mine, theirs);
      expect(conflicts.map(({ kind }) => kind)).toEqual(['document']);
      expect(document).toBe(mine);
      expect(mergeDocuments(base, mine, theirs, () => 'theirs').document).toBe(theirs);
    }
    expect(mergeDocuments(null, start, structuredClone(start)).conflicts).toEqual([]);
  });

  test('a change that is applied to another version wins over the changes of that version', () => {
    const saved = edited(start, titled('p', 'Saved'), titled('q', 'Saved'));
    const theirs = edited(saved, titled('q', 'Theirs'), patched('s', { x: 99 }));
    const undone = changeBetween(saved, theirs)(start);
    expect(undone.pages.map(({ title }) => title)).toEqual(['', 'Theirs', '']);
    expect(elementOf(undone, 's')?.x).toBe(99);
    expect(undone.pages[2]).toBe(start.pages[2]);
  });
});

describe('random edits', () => {
  const pageId = fc.constantFrom('p', 'q', 'o', 'p-2');
  const ids = fc.subarray(['s', 't', 'i', 'grid', 'r', 's-2', 'r-2'], { minLength: 1, maxLength: 3 });
  const amount = fc.integer({ min: 1, max: 4 });
  const someAction: fc.Arbitrary<EditorAction> = fc.oneof(
    { weight: 3, arbitrary: pageId.map(opened) },
    { weight: 3, arbitrary: ids.map((ids) => ({ type: 'selected' as const, ids })) },
    fc.tuple(pageId, fc.constantFrom('A', 'B', '')).map(([id, title]) => titled(id, title)),
    fc.record({ type: fc.constant('page-duplicated' as const), pageId }),
    fc.record({ type: fc.constant('page-removed' as const), pageId }),
    fc.record({ type: fc.constant('page-moved' as const), pageId, to: amount }),
    fc.record({ type: fc.constant('moved' as const), dx: amount, dy: fc.constant(0) }),
    fc.record({ type: fc.constant('layered' as const), move: fc.constantFrom('front', 'back', 'forward') }),
    amount.map((at) => ({ type: 'guides-changed' as const, guides: [{ axis: 'x' as const, at }] })),
    amount.map((z) => patched('s', { z: z * 10 })),
    amount.map((fontSize) => patched('t', { fontSize: fontSize + 10 })),
    amount.map((count) => patched('grid', { rows: Array.from({ length: count }, () => ['x', 'y']) })),
    fc.constantFrom<EditorAction>(
      { type: 'removed' },
      { type: 'duplicated' },
      { type: 'grouped' },
      { type: 'ungrouped' },
      patched('i', { path: 'uploads/one.png', imageId: null }),
      patched('grid', { columns: [{ label: 'Only', width: 1, align: 'left' }], rows: [['x']] }),
      { type: 'document-changed', patch: { format: 'letter' } },
      { type: 'document-changed', patch: { includeToc: true } },
      { type: 'sheet-opened', sheet: { kind: 'master', id: 'default' } },
      { type: 'elements-added', elements: [pageElement.parse(shape('r'))] },
      { type: 'document-changed', patch: { cover: { ...start.cover, title: 'Title' } } },
    ),
  );
  const someEdits = fc.array(someAction, { maxLength: 12 }).map((actions) => edited(start, ...actions));

  /**
   * Chooses a side without regard to which one is `mine`. For a removal, chooses the side that keeps the item. For any
   * other conflict, chooses the side whose value comes first in the order of `canonicalText`.
   */
  const byValue: Choose = ({ kind, mine, theirs, keeps }) => {
    if (kind === 'removal') return keeps;
    return canonicalText(mine) < canonicalText(theirs) ? 'mine' : 'theirs';
  };

  type Item = { id: string };
  const find = <Each extends Item>(items: readonly Each[], id: string) =>
    items.find((item) => item.id === id);
  // Ignore ids and stacking orders, which a merge may change, and groups, because a group that is left with one element
  // is dissolved without a conflict.
  const bare = (item: object) => ({ ...item, id: '', z: 0, groupId: '' });

  /** Returns the changes of a side that are neither in the merged items nor listed as conflicts. */
  function lost<Each extends Item>(
    base: readonly Each[],
    side: readonly Each[],
    merged: readonly Each[],
    isListed: (id: string, property: string) => boolean,
    fields: (item: Each) => object,
  ): string[] {
    const added = side.filter((item) => !find(base, item.id));
    const unseen = added.filter(
      (item) => !merged.some((other) => isSame(bare(fields(other)), bare(fields(item)))),
    );
    const gone = base.filter((item) => !find(side, item.id) && find(merged, item.id));
    const changes = side.flatMap((item) => {
      const [old, now] = [find(base, item.id), find(merged, item.id)];
      const [before, after] = [old ? bare(fields(old)) : {}, now ? bare(fields(now)) : {}];
      const result = new Map(Object.entries(after));
      const known = new Map(Object.entries(before));
      return Object.entries(bare(fields(item)))
        .filter(([key, value]) => old && !isSame(known.get(key), value) && !isSame(result.get(key), value))
        .map(([key]) => [item.id, key] as const);
    });
    return [
      ...unseen.map(({ id }) => `${id} was added`),
      ...gone.filter(({ id }) => !isListed(id, '')).map(({ id }) => `${id} was removed`),
      ...changes.filter(([id, key]) => !isListed(id, key)).map(([id, key]) => `${key} of ${id} was changed`),
    ];
  }

  const unitNames: Record<string, string> = {
    imageId: 'image',
    path: 'image',
    columns: 'table',
    rows: 'table',
  };

  function lostIn(
    base: DocumentContent,
    side: DocumentContent,
    { document, conflicts }: ReturnType<typeof mergeDocuments>,
  ) {
    const listed = (where: (conflict: Conflict) => boolean, property: string) =>
      conflicts.some(
        (conflict) =>
          where(conflict) &&
          (conflict.kind === 'removal' || [property, unitNames[property]].includes(conflict.property ?? '')),
      );
    // Leave out guides. They are merged as sets, so the guides of a merged page may differ from those on both sides.
    const onPage = ({ elements: _, guides: __, ...rest }: DocumentContent['pages'][number]) => rest;
    return [
      ...lost(
        base.pages,
        side.pages,
        document.pages,
        (id, key) => listed(({ pageId, elementId }) => pageId === id && elementId === null, key),
        onPage,
      ),
      ...side.pages.flatMap((page) => {
        const [old, now] = [find(base.pages, page.id), find(document.pages, page.id)];
        if (!old || !now) return [];
        const isOn = (id: string, key: string) =>
          listed(({ pageId, elementId }) => pageId === page.id && elementId === id, key);
        return lost(old.elements, page.elements, now.elements, isOn, (element) => element);
      }),
    ];
  }

  test('any two edits merge to the same valid document in either order, and nothing is lost unless it is a conflict', () => {
    fc.assert(
      fc.property(someEdits, someEdits, (mine, theirs) => {
        const here = mergeDocuments(start, mine, theirs, byValue);
        const there = mergeDocuments(start, theirs, mine, byValue);
        expect(there.document).toEqual(here.document);
        const swapped = there.conflicts.map(({ mine, theirs, ...rest }) =>
          summary({ ...rest, mine: theirs, theirs: mine }),
        );
        expect(swapped).toEqual(here.conflicts.map(summary));
        expect(documentPages.safeParse(here.document.pages).error).toBeUndefined();
        expect([...lostIn(start, mine, here), ...lostIn(start, theirs, here)]).toEqual([]);
        expect(mergeDocuments(start, mine, theirs).conflicts.map(summary)).toEqual(
          here.conflicts.map(summary),
        );
      }),
      { numRuns: 400 },
    );
  });

  test('merging with an unchanged version returns the changed version, and merging again changes nothing', () => {
    fc.assert(
      fc.property(someEdits, someEdits, (mine, theirs) => {
        expect(mergeDocuments(start, mine, structuredClone(start))).toEqual({
          document: mine,
          conflicts: [],
        });
        expect(mergeDocuments(start, start, mine)).toEqual({ document: mine, conflicts: [] });
        const { document } = mergeDocuments(start, mine, theirs);
        // After the merged document is saved, a client that still shows `theirs` gets exactly the merged document.
        expect(mergeDocuments(theirs, theirs, document)).toEqual({ document, conflicts: [] });
        expect(mergeDocuments(theirs, document, structuredClone(theirs)).document).toBe(document);
      }),
      { numRuns: 200 },
    );
  });
});
