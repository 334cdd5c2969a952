import { describe, expect, test } from 'vitest';
import { canvasKey, editorKey, keepKey, nextInOrder, viewKey } from '@/components/editor/canvas/canvas-keys';
import { documentHref, parseDocumentUrl } from '@/components/editor/document-url';
import { elementLabel } from '@/components/editor/element-labels';
import { findInPages } from '@/components/editor/find/find-in-pages';
import { cellAfter } from '@/components/editor/inspector/cell-moves';
import { changedCrop } from '@/components/editor/inspector/image-fields';
import { parseMeasure, withinLimits } from '@/components/editor/inspector/parse-measure';
import {
  leftOut,
  withCell,
  withColumn,
  withoutColumn,
  withPasted,
  withPastedLabels,
  withRow,
  withRowMoved,
} from '@/components/editor/inspector/table-changes';
import { commonValue } from '@/components/editor/inspector/use-element-fields';
import {
  newImageFrame,
  newImages,
  newMaterials,
  newPage,
  newShape,
  newTable,
  newText,
} from '@/components/editor/new-elements';
import { cellsInText } from '@/components/editor/tables/cells-in-text';
import { type PageElement, pageData, pageElement } from '@/lib/document/page-model';

const element = (id: string, place: Partial<PageElement> = {}): PageElement =>
  pageElement.parse({ id, type: 'shape', kind: 'rect', x: 0, y: 0, w: 10, h: 10, ...place });
const press = (
  key: string,
  keys: Partial<Record<'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey' | 'isComposing', boolean>> = {},
) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  isComposing: false,
  shiftKey: false,
  altKey: false,
  ...keys,
});

describe('canvas keys', () => {
  const one = [element('a')];
  test.each([
    [press('ArrowRight'), { type: 'moved', dx: 1, dy: 0 }],
    [press('ArrowUp', { shiftKey: true }), { type: 'moved', dx: 0, dy: -10 }],
    [press('ArrowLeft', { altKey: true }), { type: 'moved', dx: -0.1, dy: 0 }],
    [press('Delete'), { type: 'removed' }],
    [press('d', { ctrlKey: true }), { type: 'duplicated' }],
    [press(']', { ctrlKey: true }), { type: 'layered', move: 'forward' }],
    [press('{', { ctrlKey: true, shiftKey: true }), { type: 'layered', move: 'back' }],
    [press('l', { ctrlKey: true }), { type: 'locked', ids: ['a'], locked: true }],
    [press('x'), null],
    [press('ArrowRight', { ctrlKey: true }), null],
  ])('the key %j dispatches %j', (keys, action) => expect(canvasKey(keys, one)).toEqual(action));

  test('Delete and the arrow keys do nothing without a selection', () => {
    expect(canvasKey(press('Delete'), [])).toBeNull();
    expect(canvasKey(press('ArrowDown'), [])).toBeNull();
  });

  test('Ctrl+Z undoes, Ctrl+Shift+Z and Ctrl+Y redo, and Ctrl+A selects all', () => {
    expect(editorKey(press('z', { ctrlKey: true }))).toEqual({ type: 'undone' });
    expect(editorKey(press('A', { metaKey: true }))).toEqual({ type: 'all-selected' });
    expect(editorKey(press('Z', { ctrlKey: true, shiftKey: true }))).toEqual({ type: 'redone' });
    expect(editorKey(press('y', { ctrlKey: true }))).toEqual({ type: 'redone' });
    expect(editorKey(press('z'))).toBeNull();
  });

  test('while an element is edited in place, keys do not reach the canvas, except shortcuts of the whole editor', () => {
    const isKept = (...pressed: Parameters<typeof press>) => {
      let kept = false;
      const stopPropagation = () => {
        kept = true;
      };
      keepKey({ ...press(...pressed), stopPropagation });
      return kept;
    };
    for (const key of ['s', 'f', '0', '+', '-', ';']) expect(isKept(key, { ctrlKey: true })).toBe(false);
    for (const key of ['z', 'a', 'd']) expect(isKept(key, { ctrlKey: true })).toBe(true);
    for (const key of ['s', 'Delete', 'Escape', 'ArrowUp', 'PageDown']) expect(isKept(key)).toBe(true);
  });

  test('Tab follows the reading order, skips locked elements, and leaves the canvas at the end', () => {
    const elements = [
      element('low', { y: 80 }),
      element('right', { x: 90 }),
      element('locked', { x: 50, locked: true }),
      element('left'),
    ];
    const walk = (from: string | null, direction: 1 | -1) =>
      nextInOrder(elements, from, direction)?.id ?? null;
    expect([walk(null, 1), walk('left', 1), walk('right', 1), walk('low', 1)]).toEqual([
      'left',
      'right',
      'low',
      null,
    ]);
    expect([walk('right', -1), walk('left', -1)]).toEqual(['left', null]);
  });
});

describe('new elements', () => {
  const a4 = { width: 210, height: 297 };

  test('new elements are centered on the page and valid', () => {
    const made = [
      newText(a4),
      newImageFrame(a4),
      ...newMaterials(a4, [{ materialId: 'oak', title: 'Oak' }]),
      newTable(a4),
      newShape(a4, 'line'),
    ];
    expect(pageData.safeParse({ id: 'p', elements: made }).success).toBe(true);
    for (const { x, y, w, h } of made) {
      expect(x + w / 2).toBeCloseTo(105, 1);
      expect(y + h / 2).toBeCloseTo(148.5, 1);
    }
    expect(newPage().elements).toEqual([]);
  });

  test('images and materials that are inserted together lie side by side within the margins, with the rows that fit', () => {
    const image = { imageId: null, path: 'a.png', width: 4000, height: 3000, alt: 'Two\nlines' };
    const rows = Array.from({ length: 6 }, (_, row) => ({ label: `Fact ${row}`, value: 'oiled' }));
    const material = { materialId: 'oak', title: 'Oak', rows };
    expect(newImages(a4, [image])).toMatchObject([{ w: 105, h: 78.75, x: 52.5, alt: 'Two lines' }]);
    expect(newMaterials(a4, [material])[0]?.rows).toHaveLength(6);
    for (const count of [2, 5, 12]) {
      for (const many of [
        newImages(
          a4,
          Array.from({ length: count }, () => image),
        ),
        newMaterials(
          a4,
          Array.from({ length: count }, () => material),
        ),
      ]) {
        expect(many).toHaveLength(count);
        for (const [at, { x, y, w, h }] of many.entries()) {
          expect([x >= 18, y >= 18, x + w <= 192, y + h <= 277]).toEqual([true, true, true, true]);
          for (const other of many.slice(at + 1)) {
            const apart =
              x + w <= other.x || other.x + other.w <= x || y + h <= other.y || other.y + other.h <= y;
            expect(apart).toBe(true);
          }
        }
      }
    }
  });

  test('the label of an element is its kind with its name or content', () => {
    expect(elementLabel(newText(a4, 'Welcome to\nthe lobby'))).toBe('Text: Welcome to the lobby');
    expect(elementLabel(newText(a4, 'x'.repeat(200)))).toHaveLength('Text: '.length + 60);
    expect(elementLabel({ ...newShape(a4, 'ellipse'), name: 'Sun' })).toBe('Ellipse: Sun');
    expect(elementLabel(newImageFrame(a4))).toBe('Empty image frame');
  });
});

describe('table cells', () => {
  const grid = {
    columns: [
      { label: 'A', width: 1, align: 'left' as const },
      { label: 'B', width: 1, align: 'left' as const },
    ],
    rows: [
      ['1', '2'],
      ['3', '4'],
    ],
  };

  test('cells, rows and columns can be changed, added and removed', () => {
    expect(withCell(grid, 1, 0, 'x').rows).toEqual([
      ['1', '2'],
      ['x', '4'],
    ]);
    expect(withRow(grid).rows[2]).toEqual(['', '']);
    expect(withColumn(grid).rows[0]).toEqual(['1', '2', '']);
    expect(withoutColumn(grid, 0)).toEqual({ columns: [grid.columns[1]], rows: [['2'], ['4']] });
  });

  test('pasting spreadsheet cells grows the table up to its limits', () => {
    const pasted = withPasted(grid, 1, 1, cellsInText('a\tb\r\nc\td\r\n'));
    expect(pasted.columns).toHaveLength(3);
    expect(pasted.rows).toEqual([
      ['1', '2', ''],
      ['3', 'a', 'b'],
      ['', 'c', 'd'],
    ]);
    const huge = withPasted(
      grid,
      0,
      0,
      Array.from({ length: 400 }, () => Array(40).fill('x')),
    );
    expect([huge.columns.length, huge.rows.length]).toEqual([20, 300]);
    expect(withPasted(grid, 0, 0, cellsInText('x\ty\n'.repeat(200_000))).rows).toHaveLength(300);
  });

  test('the message about a paste counts the cells that were dropped or cut', () => {
    expect(leftOut(1, 1, cellsInText('a\tb\r\nc\td\r\n'))).toBeNull();
    expect(leftOut(0, 0, cellsInText('x\n'.repeat(300)))).toBeNull();
    expect(leftOut(299, 18, cellsInText('a\tb\tc\nd'))).toBe(
      'The table is full. Not pasted: 1 row and 1 column.',
    );
    expect(leftOut(0, 0, cellsInText('x\ty\n'.repeat(200_000)))).toBe(
      'The table is full. Not pasted: 199,700 rows.',
    );
    const long = '🎨'.repeat(600);
    expect(leftOut(0, 0, cellsInText(`${long}\t${long}\nx`))).toBe('2 cells were cut to 1,000 characters.');
    // When the paste starts in the label row, its first line becomes the column labels.
    expect(leftOut(-1, 0, cellsInText(`${long}\tx\n${'y'.repeat(500)}`))).toBe(
      '1 label was cut to 200 characters.',
    );
    expect(leftOut(299, 19, cellsInText(`x\t${long}\n${long}`))).toBe(
      'The table is full. Not pasted: 1 row and 1 column.',
    );
    // A split surrogate pair would make the whole table invalid.
    const [[cell] = []] = withPasted(grid, 0, 0, cellsInText(`x${long}\ty`)).rows;
    expect(cell).toBe(`x${'🎨'.repeat(499)}`);
  });

  test('pasting cuts only the pasted cells that are too long', () => {
    const [broken, long] = ['\ud83c', 'y'.repeat(1200)];
    const beside = withCell(withCell(grid, 0, 1, long), 1, 1, `3${broken}`);
    expect(withPasted(beside, 0, 0, cellsInText('a\nb')).rows).toEqual([
      ['a', long],
      ['b', `3${broken}`],
    ]);
    // A lone surrogate that is not at the cut is kept, and only the characters beyond the limit are removed.
    expect(withPasted(grid, 0, 0, [[`${broken}x`, `${broken}${long}`]]).rows[0]).toEqual([
      `${broken}x`,
      `${broken}${'y'.repeat(999)}`,
    ]);
  });
});

test('equal crops of several images are one value, and different ones are none', () => {
  const cropped = (x: number) => ({ crop: { x, y: 0, w: 0.5, h: 1 } });
  expect(commonValue([cropped(0.25), cropped(0.25)], 'crop')).toEqual(cropped(0.25).crop);
  expect(commonValue([cropped(0.25), cropped(0.5)], 'crop')).toBeUndefined();
  expect(commonValue([cropped(0.25), { crop: null }], 'crop')).toBeUndefined();
});

test('a crop stays within the image and becomes null when it covers the whole image', () => {
  expect(changedCrop(null, { x: 0.25 })).toEqual({ x: 0.25, y: 0, w: 0.75, h: 1 });
  expect(changedCrop({ x: 0.25, y: 0, w: 0.75, h: 1 }, { w: 1, x: 0 })).toBeNull();
  expect(changedCrop(null, { x: 1 })).toEqual({ x: 0.99, y: 0, w: expect.closeTo(0.01), h: 1 });
});

test('the editor URL contains the open page, and malformed page ids are ignored', () => {
  expect(documentHref({ projectId: 'id' }, 'p-1')).toBe('/projects/id/document?page=p-1');
  expect(parseDocumentUrl(new URLSearchParams('page=p-1'))).toEqual({ page: 'p-1', documentId: null });
  expect(parseDocumentUrl({ page: ['<b>', 'x'] })).toEqual({ page: null, documentId: null });
});

describe('the keys of the whole editor', () => {
  test.each([
    [press('s', { ctrlKey: true }), 'save'],
    [press('F', { metaKey: true }), 'find'],
    [press('0', { ctrlKey: true }), 'fit'],
    [press('+', { ctrlKey: true, shiftKey: true }), 'zoom in'],
    [press('-', { ctrlKey: true }), 'zoom out'],
    [press('PageDown'), 'next page'],
    [press('PageUp'), 'previous page'],
    [press('s'), null],
    [press('S', { ctrlKey: true, shiftKey: true }), null],
    [press('0', { ctrlKey: true, altKey: true }), null],
    [press('PageDown', { shiftKey: true }), null],
    [press('PageUp', { ctrlKey: true }), null],
  ])('the key %j means %s', (keys, meaning) => expect(viewKey(keys)).toBe(meaning));
});

describe('number fields', () => {
  test.each([
    ['11+2', 'mm', 13],
    ['1in', 'mm', 25.4],
    ['1 in', 'pt', 72],
    ['2,5 cm', 'mm', 25],
    ['12 mm', 'mm', 12],
    ['210 / 3 - 1cm', 'mm', 60],
    ['3 * -2', 'mm', -6],
    ['-4 + 10×2', 'mm', 16],
    ['.5', undefined, 0.5],
    ['50 %', '%', 50],
    ['1"', 'mm', 25.4],
  ] as const)('"%s" in %s is %d', (text, unit, value) => expect(parseMeasure(text, unit)).toBe(value));

  test.each([
    ['', 'mm'],
    ['12 +', 'mm'],
    ['1 2', 'mm'],
    ['* 2', 'mm'],
    ['1 / 0', 'mm'],
    ['5 mm', '%'],
    ['50 %', 'mm'],
    ['ten', 'mm'],
    ['1e3', 'mm'],
  ] as const)('"%s" in %s has no value', (text, unit) => expect(parseMeasure(text, unit)).toBeNull());

  test('a value beyond a limit becomes the limit', () => {
    const limits = { min: 4, max: 400 };
    const found = [3.9, 4, 400, 401].map((value) => withinLimits(value, limits));
    expect(found.map(({ value, limit }) => [value, limit])).toEqual([
      [4, 'minimum'],
      [4, null],
      [400, null],
      [400, 'maximum'],
    ]);
  });
});

describe('the keys of table cells', () => {
  const at = (selectionStart: number, selectionEnd = selectionStart) => ({
    selectionStart,
    selectionEnd,
    value: 'oak',
  });
  test.each([
    [press('Enter'), at(1), { row: 3, column: 1 }],
    [press('Enter', { shiftKey: true }), at(1), { row: 1, column: 1 }],
    [press('ArrowUp'), at(1), { row: 1, column: 1 }],
    [press('ArrowDown'), at(1), { row: 3, column: 1 }],
    [press('ArrowLeft'), at(0), { row: 2, column: 0 }],
    [press('ArrowRight'), at(3), { row: 2, column: 2 }],
    [press('ArrowRight'), at(0, 3), { row: 2, column: 2 }],
    [press('ArrowLeft'), at(1), null],
    [press('ArrowRight', { shiftKey: true }), at(3), null],
    [press('Enter', { ctrlKey: true }), at(3), null],
    [press('Enter', { isComposing: true }), at(3), null],
    [press('a'), at(3), null],
  ])('the key %j with the caret at %j leads to %j', (keys, caret, cell) =>
    expect(cellAfter(keys, { row: 2, column: 1 }, caret)).toEqual(cell),
  );

  const label = (text: string) => ({ label: text, width: 1, align: 'left' as const });
  const grid = {
    columns: [label('A'), label('B')],
    rows: [
      ['1', '2'],
      ['3', '4'],
    ],
  };

  test('a row is inserted above another one, and moved within the table only', () => {
    expect(withRow(grid, 1).rows).toEqual([
      ['1', '2'],
      ['', ''],
      ['3', '4'],
    ]);
    expect(withRowMoved(grid, 0, 1).rows).toEqual([
      ['3', '4'],
      ['1', '2'],
    ]);
    expect(withRowMoved(grid, 0, -1).rows).toEqual(grid.rows);
    expect(withRowMoved(grid, 1, 2).rows).toEqual(grid.rows);
  });

  test('the first pasted line becomes the labels, and the others become the cells below them', () => {
    const pasted = withPastedLabels(grid, 1, cellsInText('Item\tCount\nLamp\t3\n'));
    expect(pasted.columns.map((column) => column.label)).toEqual(['A', 'Item', 'Count']);
    expect(pasted.rows).toEqual([
      ['1', 'Lamp', '3'],
      ['3', '4', ''],
    ]);
    const labels = withPastedLabels(grid, 0, cellsInText(`${'x'.repeat(300)}\tSize`));
    expect(labels.columns.map((column) => column.label)).toEqual(['x'.repeat(200), 'Size']);
    expect(labels.rows).toEqual(grid.rows);
  });
});

test('a search finds texts, tables, names and titles in the order of the pages, regardless of case and accents', () => {
  const frame = { x: 0, y: 0, w: 10, h: 10 };
  const run = (text: string) => ({ text });
  const pages = [
    pageData.parse({
      id: 'one',
      elements: [
        {
          ...frame,
          id: 'text',
          type: 'text',
          blocks: [{ type: 'paragraph', runs: [run('Fa'), run('çade')] }],
        },
        { ...frame, id: 'named', type: 'shape', kind: 'rect', name: 'FACADE frame' },
        { ...frame, id: 'other', type: 'shape', kind: 'rect' },
      ],
    }),
    pageData.parse({
      id: 'two',
      title: 'The façade',
      elements: [{ ...frame, id: 'table', type: 'table', columns: [{ label: 'Part' }], rows: [['façade']] }],
    }),
  ];
  expect(findInPages(pages, ' Facade ')).toEqual([
    { pageId: 'one', elementId: 'text' },
    { pageId: 'one', elementId: 'named' },
    { pageId: 'two', elementId: null },
    { pageId: 'two', elementId: 'table' },
  ]);
  expect(findInPages(pages, ' ')).toEqual([]);
});

test('finding a row of a table that spans pages opens each page that shows a match', () => {
  const table = { type: 'table' as const, x: 0, y: 0, w: 90, h: 40 };
  const head = {
    ...table,
    id: 'head',
    columns: [{ label: 'Item' }],
    rows: [['Lamp 1'], ['Lamp 2'], ['Lamp 3'], ['Chair'], ['Lamp 5']],
    flowId: 'flow',
    breaks: [2, 4],
  };
  const continued = (id: string) => ({ ...table, id, columns: [{ label: '' }], rows: [], continues: 'flow' });
  const pages = [
    pageData.parse({ id: 'one', elements: [head] }),
    pageData.parse({ id: 'two', elements: [continued('second')] }),
    pageData.parse({ id: 'three', elements: [continued('third')] }),
  ];
  expect(findInPages(pages, 'chair')).toEqual([{ pageId: 'two', elementId: 'second' }]);
  expect(findInPages(pages, 'Lamp 5')).toEqual([{ pageId: 'three', elementId: 'third' }]);
  expect(findInPages(pages, 'lamp').map(({ pageId }) => pageId)).toEqual(['one', 'two', 'three']);
});
