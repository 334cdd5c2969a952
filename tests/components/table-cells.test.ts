import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contentOf } from '@/components/editor/editor-change';
import { openEditor } from '@/components/editor/editor-state';
import { createEditorStore } from '@/components/editor/editor-store';
import { withPasted, withRowMoved } from '@/components/editor/inspector/table-changes';
import { addTableFile, fillTableFromFile } from '@/components/editor/tables/add-table-file';
import { cellsInFile, isCellFile } from '@/components/editor/tables/cells-in-file';
import { cellsInText } from '@/components/editor/tables/cells-in-text';
import { tableOfCells } from '@/components/editor/tables/table-of-cells';
import { UserFacingError } from '@/components/feedback/describe-error';
import { overBudget } from '@/lib/document/budget';
import { imageUses } from '@/lib/document/image-uses';
import { imagesOf, pageData, tableElement } from '@/lib/document/page-model';
import { exportOptions, projectDocument } from '@/lib/document/schema';
import { elementTexts } from '@/lib/document/sheet-texts';
import { planSheets } from '@/lib/document/sheets';
import { csvLines } from '@/lib/http/csv';

const a4 = { width: 210, height: 297 };
const csv = (content: BlobPart, name = 'prices.csv') => new File([content], name);

describe('cells in text from the clipboard', () => {
  test('quotes enclose cells with line breaks, tabs and quotes, and are plain text elsewhere', () => {
    expect(cellsInText('"Oak\r\noiled"\t"2"" thick"\t"a\tb"\n"Ash"\t5" board\t\n')).toEqual([
      ['Oak\noiled', '2" thick', 'a\tb'],
      ['"Ash"', '5" board', ''],
    ]);
    expect(cellsInText('"open\tb')).toEqual([['"open', 'b']]);
    expect(cellsInText('')).toEqual([['']]);
  });

  test('any text becomes cells without characters that a table rejects', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', '\t', '\n', '\r', '\0', '\ud83c', 'é', ' ') });
    fc.assert(
      fc.property(text, (value) => {
        const { element } = tableOfCells(a4, cellsInText(value));
        expect(tableElement.safeParse(element).error).toBeUndefined();
      }),
    );
  });
});

describe('cells in files', () => {
  test('commas, semicolons, tabs and quotes separate cells; empty rows and columns around them are dropped', async () => {
    const rows = [
      ['Item', 'Size'],
      ['Oak, oiled', '20 "mm"'],
      ['', ''],
      ['Ash', 'a\nb'],
    ];
    expect(
      await cellsInFile(
        csv('\ufeffItem,Size,\r\n"Oak, oiled","20 ""mm""",\r\n,,\r\nAsh,"a\r\nb",\r\n,,\r\n'),
      ),
    ).toEqual(rows);
    expect(await cellsInFile(csv('Item;Size\n"Oak, oiled";"20 ""mm"""\n;\nAsh;"a\nb"'))).toEqual(rows);
    expect(await cellsInFile(csv('a,b\tc', 'x.TSV'))).toEqual([['a,b', 'c']]);
    expect(await cellsInFile(csv(new Uint8Array([0x42, 0x6c, 0xe5, 0x3b, 0x31])))).toEqual([['Blå', '1']]);
  });

  test('a message says how many columns and rows are left out, whether or not the first row becomes the header', () => {
    const labels = Array.from({ length: 21 }, (_, column) => `Item ${column}`);
    const rows = Array.from({ length: 300 }, () => ['Lamp']);
    expect(tableOfCells(a4, [labels, ...rows]).leftOut).toBe('The table is full. Not pasted: 1 column.');
    expect(tableOfCells(a4, [['Item'], ...rows]).leftOut).toBeNull();
    expect(tableOfCells(a4, [[''], ...rows]).leftOut).toBe('The table is full. Not pasted: 1 row.');
  });

  test('written cells are read back', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', 'é', '🎨', ' ', '1') });
    const rows = fc
      .integer({ min: 2, max: 5 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }),
      );
    await fc.assert(
      fc.asyncProperty(rows, async (value) => {
        // Add a row of non-empty cells at each end, because `cellsInFile` drops empty rows and columns at the edges.
        const guard = value[0]?.map(() => 'x') ?? [];
        const filled = [guard, ...value, guard];
        expect(await cellsInFile(csv(csvLines(filled)))).toEqual(filled);
      }),
    );
  });

  test('any file becomes a valid table or has a message for the user', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom('x.csv', 'x.tsv'),
        async (bytes, name) => {
          try {
            const { element } = tableOfCells(a4, await cellsInFile(csv(Uint8Array.from(bytes), name)));
            expect(tableElement.safeParse(element).error).toBeUndefined();
          } catch (error) {
            expect(error).toBeInstanceOf(UserFacingError);
          }
        },
      ),
    );
  });

  test('files that are too large, empty or not text are refused', async () => {
    await expect(cellsInFile(csv('x'.repeat(2_000_001)))).rejects.toThrow(
      'prices.csv is too large. The limit is 2 MB.',
    );
    await expect(cellsInFile(csv(' ,\n,'))).rejects.toThrow('prices.csv has no cells.');
    await expect(cellsInFile(csv('PK\0\0'))).rejects.toThrow('Save the spreadsheet as CSV');
    expect(
      [
        { name: 'a.CSV', type: '' },
        { name: 'a', type: 'text/csv' },
        { name: 'a.png', type: '' },
      ].map(isCellFile),
    ).toEqual([true, true, false]);
  });

  test('a file becomes a table, or replaces the cells of one and keeps its column widths; both can be undone', async () => {
    const page = pageData.parse({ id: 'p', elements: [] });
    const document = contentOf(projectDocument.parse({ version: 0, pages: [page] }));
    const store = createEditorStore(openEditor(document), true);
    await addTableFile(store, a4, csv('Item,Price\nLamp,3\n'));
    const table = () => store.get().document.pages[0]?.elements[0];
    expect(table()).toMatchObject({
      header: true,
      columns: [{ label: 'Item' }, { label: 'Price' }],
      rows: [['Lamp', '3']],
    });
    const id = table()?.id ?? '';
    const columns = [
      { label: 'Item', width: 3, align: 'left' as const },
      { label: 'Price', width: 1, align: 'right' as const },
    ];
    store.dispatch({ type: 'elements-changed', ids: [id], patch: { columns } });
    await fillTableFromFile(store, id, csv('Rug;Cost;Maker\nKilim;4;Nord\n'));
    expect(table()).toMatchObject({
      columns: [
        { label: 'Rug', width: 3 },
        { label: 'Cost', align: 'right' },
        { label: 'Maker', width: 1 },
      ],
      rows: [['Kilim', '4', 'Nord']],
    });
    expect(store.get().message?.text).toBe('The table now has 1 row from prices.csv.');
    store.dispatch({ type: 'undone' });
    expect(table()).toMatchObject({ rows: [['Lamp', '3']] });
    store.dispatch({ type: 'locked', ids: [id], locked: true });
    await fillTableFromFile(store, id, csv('x\ny'));
    expect(store.get().message?.text).toMatch(/locked/);
    await addTableFile(store, a4, csv(Array.from({ length: 310 }, (_, row) => `${row},x`).join('\n')));
    expect(store.get().message).toMatchObject({
      refused: true,
      text: 'The table is full. Not pasted: 9 rows.',
    });
  });
});

describe('images in cells', () => {
  const picture = { path: 'images/oak.png', text: 'Oak', alt: 'A board', height: 15 };
  const table = tableElement.parse({
    ...{ id: 't', type: 'table', x: 0, y: 0, w: 100, h: 100 },
    columns: [
      { label: 'Material', width: 1 },
      { label: 'Place', width: 3 },
    ],
    rows: [
      [picture, 'Hall'],
      ['Ash', 'Bath'],
    ],
  });
  const page = pageData.parse({ id: 'p', elements: [table] });

  test('an image stays in its cell when the text of the cell changes, and moves with its row', () => {
    const pasted = withPasted(table, 0, 0, [['Elm', 'Loft'], ['Fir']]);
    expect(pasted.rows).toEqual([
      [{ ...picture, imageId: null, text: 'Elm' }, 'Loft'],
      ['Fir', 'Bath'],
    ]);
    expect(withRowMoved(table, 0, 1).rows).toEqual(table.rows.toReversed());
  });

  test('the text of a cell with an image is found and counted, and the image counts as an image of the document', () => {
    expect(elementTexts(table).map(({ text }) => text)).toContain('Oak');
    expect(imagesOf([page]).map(({ key }) => key)).toEqual(['images/oak.png']);
    expect(overBudget([page], { cells: 4, textParts: 0, characters: 0 })).toContain('(this has 48)');
    const plan = planSheets(
      projectDocument.parse({ version: 0, pages: [page] }),
      '',
      exportOptions.parse({}),
    );
    expect(imageUses(plan)).toMatchObject([
      { key: 'images/oak.png', frame: { width: 100 / 4 - 3.2, height: 15 }, fit: 'contain' },
    ]);
  });

  test('a cell has text or one image with a height within bounds, and an invalid cell has an error that names the field', () => {
    const issueOf = (cell: unknown) =>
      tableElement
        .safeParse({ ...table, rows: [[cell, '']] })
        .error?.issues.map(({ path, message }) => [path.join('.'), message]);
    expect(issueOf('x'.repeat(1001))).toEqual([['rows.0.0', 'must have at most 1000 characters']]);
    expect(issueOf({ ...picture, height: 301 })).toEqual([['rows.0.0.height', 'must be at most 300']]);
    expect(issueOf({ ...picture, imageId: crypto.randomUUID() })?.[0]?.[1]).toMatch(/two images/);
    expect(issueOf({ ...picture, html: 'x' })).toBeUndefined();
  });
});
