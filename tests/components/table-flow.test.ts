import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EditorAction } from '@/components/editor/editor-action';
import { contentOf, copiedElements } from '@/components/editor/editor-change';
import { editorReducer } from '@/components/editor/editor-reducer';
import { type EditorState, openEditor } from '@/components/editor/editor-state';
import { createEditorStore } from '@/components/editor/editor-store';
import { fillTableFromFile } from '@/components/editor/tables/add-table-file';
import { newFlow, noFlow } from '@/components/editor/tables/flow-table';
import { mergeDocuments } from '@/lib/document/merge/merge-documents';
import {
  MAX_DOCUMENT_PAGES,
  type PageData,
  pageData,
  type TableElement,
  tableElement,
} from '@/lib/document/page-model';
import { exportOptions, projectDocument } from '@/lib/document/schema';
import { planSheets } from '@/lib/document/sheets';
import { flowedPages, rowStarts, standalonePage } from '@/lib/document/table-flow';

const table = (more: object = {}): TableElement =>
  tableElement.parse({
    ...{ id: 't', type: 'table', x: 20, y: 150, w: 170, h: 50 },
    columns: [
      { label: 'No.', width: 1 },
      { label: 'Item', width: 3 },
    ],
    rows: Array.from({ length: 40 }, (_, index) => [String(index), 'Lamp']),
    ...more,
  });
const page = (id: string, ...elements: TableElement[]) => pageData.parse({ id, title: id, elements });
const open = (...pages: PageData[]) => openEditor(contentOf(projectDocument.parse({ version: 0, pages })));
const act = (state: EditorState, ...actions: EditorAction[]) => actions.reduce(editorReducer, state);
const tablesOf = (pages: readonly PageData[]) =>
  pages.flatMap(({ elements }) => elements.flatMap((one) => (one.type === 'table' ? [one] : [])));
/** Returns the numbers in the first column of each table, as shown on the pages. */
const shown = ({ document }: EditorState) =>
  tablesOf(flowedPages(document.pages)).map(({ rows }) => rows.map(([number]) => Number(number)));
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

/** Returns the state after the editor has measured a table flow whose rows are all `height` mm high. */
function flowed(state: EditorState, flowId = 'f', height = 10): EditorState {
  const tables = tablesOf(state.document.pages);
  const head = tables.find((one) => one.flowId === flowId);
  const rows = head?.rows.map(() => height) ?? [];
  const measured = tables.map(({ w: width }) => ({ width, header: 10, rows }));
  return act(state, { type: 'table-flowed', flowId, measured });
}
const start = () => flowed(open(page('a', table({ flowId: 'f', breaks: [] })), page('b')));

describe('a table that runs over pages', () => {
  test('rows that do not fit continue below a repeated header on new pages, which are numbered like other pages', () => {
    const state = start();
    // The first frame has room for 4 rows, and each frame on the next pages has room for 24.
    expect(shown(state)).toEqual([range(0, 4), range(4, 28), range(28, 40)]);
    const { document } = state;
    expect(document.pages.map(({ id, title, inToc }) => [id, title, inToc])).toEqual([
      ['a', 'a', true],
      ['a-2', 'a', false],
      ['a-3', 'a', false],
      ['b', 'b', true],
    ]);
    const options = exportOptions.parse({ includecover: true, includeToc: true });
    const { sheets } = planSheets(document, 'House', options);
    expect(sheets.map(({ kind, number }) => [kind, number])).toEqual([
      ['cover', 1],
      ['contents', 2],
      ...[3, 4, 5, 6].map((number) => ['page', number]),
    ]);
    const [, contents, , second] = sheets;
    expect(contents?.kind === 'contents' && contents.entries).toEqual([
      { title: 'a', number: 3 },
      { title: 'b', number: 6 },
    ]);
    expect(second?.kind === 'page' && second.page.elements[0]).toMatchObject({
      header: true,
      columns: [{ label: 'No.' }, { label: 'Item' }],
    });
    expect(pageData.array().safeParse(document.pages).error).toBeUndefined();
  });

  test('measuring the table again changes nothing, and an edit moves the rows within the same undo step', () => {
    const state = start();
    expect(flowed(state)).toBe(state);
    const shorter = flowed(
      act(state, { type: 'elements-changed', ids: ['t'], patch: { rows: table().rows.slice(0, 6) } }),
    );
    expect(shown(shorter)).toEqual([range(0, 4), [4, 5]]);
    expect(shorter.document.pages.map(({ id }) => id)).toEqual(['a', 'a-2', 'b']);
    expect(shorter.past).toHaveLength(1);
    expect(act(shorter, { type: 'undone' }).document).toBe(state.document);
  });

  test('the first page of the table opens when the open page is no longer needed', () => {
    const opened = act(start(), { type: 'page-opened', pageId: 'a-3' });
    const rows = table().rows.slice(0, 2);
    const pages = opened.document.pages.map((one) =>
      one.id === 'a' ? page('a', table({ flowId: 'f', rows })) : one,
    );
    const state = flowed(act(opened, { type: 'document-changed', patch: { pages } }));
    expect([state.pageId, state.document.pages.length]).toEqual(['a', 2]);
    expect(state.message?.text).toBe('2 pages of the table removed.');
  });

  test('removing a table or its flow removes its continuations, but not the other elements of their pages', () => {
    const state = act(start(), { type: 'page-opened', pageId: 'a-3' });
    const text = { id: 'x', type: 'shape', kind: 'rect', x: 0, y: 0, w: 9, h: 9 } as const;
    const [shape] = pageData.parse({ id: 's', elements: [text] }).elements;
    if (!shape) throw new Error('There is no shape.');
    const kept = act(
      state,
      { type: 'elements-added', elements: [shape] },
      { type: 'page-opened', pageId: 'a' },
    );
    const gone = act(
      kept,
      { type: 'selected', ids: ['t'] },
      { type: 'removed' },
      { type: 'orphans-removed' },
    );
    expect(gone.document.pages.map(({ id, elements }) => [id, elements.length])).toEqual([
      ['a', 0],
      ['a-3', 1],
      ['b', 0],
    ]);
    const off = act(
      state,
      { type: 'page-opened', pageId: 'a' },
      { type: 'elements-changed', ids: ['t'], patch: noFlow },
      { type: 'orphans-removed' },
    );
    expect(off.document.pages).toEqual([page('a', table()), page('b')]);
  });

  test('copies and duplicates of a part of the table are independent tables', () => {
    const state = act(start(), { type: 'page-opened', pageId: 'a-2' });
    const [second] = state.document.pages[1]?.elements ?? [];
    const [copy] = copiedElements({ ...state, selected: [second?.id ?? ''] });
    expect(copy).toMatchObject({ header: true, y: second?.y });
    expect(copy?.type === 'table' && copy.rows.length).toBe(24);
    expect(copy).not.toHaveProperty('continues');
    const twice = act(state, { type: 'page-duplicated', pageId: 'a' });
    expect(shown(twice)[1]).toEqual(range(0, 4));
    expect(tablesOf(twice.document.pages)[1]).not.toHaveProperty('flowId');
    const pasted = act(state, { type: 'pasted', elements: tablesOf(state.document.pages).slice(0, 1) });
    expect(shown(pasted)[2]).toEqual(range(0, 40));
    // A table that is cut and pasted elsewhere still continues across pages.
    const cut = act(
      state,
      { type: 'page-opened', pageId: 'a', selected: ['t'] },
      { type: 'cut' },
      { type: 'orphans-removed' },
      { type: 'page-opened', pageId: 'b' },
      { type: 'pasted' },
    );
    expect(flowed(cut).document.pages.map(({ id }) => id)).toEqual(['a', 'b', 'b-2', 'b-3']);
  });

  test('a copy of a part of the table is in the group of that part, not in that of the first part', () => {
    const groupOf = (head: object, part: object) => {
      const second = page('b', table({ rows: [], continues: 'f', ...part }));
      const pages = [page('a', table({ flowId: 'f', breaks: [4], ...head })), second];
      return standalonePage(second, pages).elements[0]?.groupId;
    };
    expect(groupOf({}, { groupId: 'own' })).toBe('own');
    expect(groupOf({ groupId: 'first' }, { groupId: 'own' })).toBe('own');
    expect(groupOf({ groupId: 'first' }, {})).toBeUndefined();
  });

  test('a merge has all rows of the user who changed them', () => {
    const { document: base } = start();
    const edit = (patch: object) => act(openEditor(base), { type: 'elements-changed', ids: ['t'], patch });
    const mine = flowed(edit({ rows: table().rows.slice(0, 20) }));
    const theirs = flowed(edit({ fontSize: 12 }), 'f', 12);
    const { document, conflicts } = mergeDocuments(base, mine.document, theirs.document);
    expect(conflicts).toEqual([]);
    expect(tablesOf(document.pages)[0]?.breaks).toEqual([4]);
    const merged = flowed(openEditor(document), 'f', 12);
    expect(shown(merged).flat()).toEqual(range(0, 20));
    expect(tablesOf(merged.document.pages)[0]?.fontSize).toBe(12);
  });

  test('filling cells on a later page fills the cells of the table that it continues, which can grow', () => {
    const state = act(start(), { type: 'page-opened', pageId: 'a-2' });
    const [second] = state.document.pages[1]?.elements ?? [];
    const fill = (row: number, column: number, cells: string[][]): EditorAction => ({
      type: 'cells-filled',
      id: second?.id ?? '',
      ...{ row, column, cells },
    });
    const filled = act(state, fill(0, 1, [['Rug', 'red'], ['Vase']]), fill(-1, 0, [['Row']]));
    const head = tablesOf(filled.document.pages)[0];
    expect(head?.columns.map(({ label }) => label)).toEqual(['Row', 'Item', '']);
    expect(head?.rows.slice(3, 7)).toEqual([
      ['3', 'Lamp', ''],
      ['4', 'Rug', 'red'],
      ['5', 'Vase', ''],
      ['6', 'Lamp', ''],
    ]);
    expect(filled.past).toHaveLength(2);
    const locked = act(state, { type: 'locked', ids: [second?.id ?? ''], locked: true }, fill(0, 0, [['x']]));
    expect(tablesOf(locked.document.pages)[0]?.rows).toEqual(table().rows);
    const grown = act(
      state,
      { type: 'page-opened', pageId: 'a' },
      { type: 'cells-filled', id: 't', row: 40, column: 0, cells: [['']] },
    );
    expect(tablesOf(grown.document.pages)[0]?.rows).toHaveLength(41);
  });

  test('a file dropped on a later page replaces the cells of the whole table, which keeps its column widths', async () => {
    const before = start();
    const store = createEditorStore(act(before, { type: 'page-opened', pageId: 'a-2' }), true);
    const [second] = store.get().document.pages[1]?.elements ?? [];
    const file = new File(['Name;Cost\n1;x\n2;y\n'], 'prices.csv', { type: 'text/csv' });
    await fillTableFromFile(store, second?.id ?? '', file);
    const [head, ...others] = tablesOf(store.get().document.pages);
    expect(head).toMatchObject({
      columns: [
        { label: 'Name', width: 1 },
        { label: 'Cost', width: 3 },
      ],
      rows: [
        ['1', 'x'],
        ['2', 'y'],
      ],
    });
    expect(others).toEqual(tablesOf(before.document.pages).slice(1));
    expect(store.get().message?.text).toBe('The table now has 2 rows from prices.csv.');
    // All rows fit on the first page, so the open page is no longer needed.
    const after = flowed(store.get());
    expect([shown(after), after.pageId]).toEqual([[[1, 2]], 'a']);
    store.dispatch({ type: 'undone' });
    expect(store.get().document).toBe(before.document);
  });

  test("the row breaks of another user's change are kept until this user's next change", () => {
    const state = start();
    const base = state.document;
    const theirs = flowed(
      act(state, { type: 'elements-changed', ids: ['t'], patch: { fontSize: 12 } }),
      'f',
      12,
    );
    const { document, conflicts } = mergeDocuments(base, base, theirs.document);
    expect([document, conflicts]).toEqual([theirs.document, []]);
    const merged = act(state, { type: 'merged', document, base, theirs: theirs.document });
    expect(flowed(merged, 'f', 11)).toBe(merged);
    const own = flowed(
      act(merged, { type: 'elements-changed', ids: ['t'], patch: { name: 'Prices' } }),
      'f',
      11,
    );
    expect(own.document).not.toEqual(merged.document);
  });

  test('a document never exceeds its maximum number of pages, and the last frame gets all remaining rows', () => {
    const pages = Array.from({ length: MAX_DOCUMENT_PAGES - 2 }, (_, index) => page(`p${index}`));
    const state = flowed(open(page('a', table({ flowId: 'f' })), ...pages));
    expect(state.document.pages).toHaveLength(MAX_DOCUMENT_PAGES);
    expect(shown(state)).toEqual([range(0, 4), range(4, 40)]);
  });

  test('each row is in exactly one frame regardless of the breaks', () => {
    const breaks = fc.array(fc.nat({ max: 60 }), { maxLength: 5 });
    fc.assert(
      fc.property(breaks, fc.nat({ max: 4 }), (starts, frames) => {
        const continued = range(0, frames).map((index) =>
          page(`c${index}`, table({ rows: [], continues: 'f' })),
        );
        const pages = [page('a', table({ flowId: 'f', breaks: starts })), ...continued];
        expect(tablesOf(flowedPages(pages)).flatMap(({ rows }) => rows)).toEqual(table().rows);
        for (const one of pages) expect(standalonePage(one, pages).elements[0]).not.toHaveProperty('flowId');
      }),
    );
  });

  test('rows that are higher than a frame get one frame each, and rows not measured at a width are not laid out', () => {
    const measured = [{ width: 10, header: 5, rows: [50, 4, 4, 50] }];
    const frame = { w: 10, h: 15 };
    expect(rowStarts(4, [frame], frame, measured, 9)).toEqual([0, 1, 3]);
    expect(rowStarts(4, [frame, { w: 11, h: 15 }], frame, measured, 9)).toBeNull();
    expect(rowStarts(5, [frame], frame, measured, 9)).toBeNull();
  });

  test('pages without a table that runs over pages stay the same', () => {
    const pages = [page('a', table()), page('b')];
    expect(flowedPages(pages).map((one, index) => one === pages[index])).toEqual([true, true]);
    expect(newFlow().breaks).toEqual([]);
  });
});
