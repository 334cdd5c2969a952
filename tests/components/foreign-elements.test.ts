import { describe, expect, test } from 'vitest';
import { foreignElement } from '@/components/editor/paste/foreign-elements';
import { pageElement } from '@/lib/document/page-model';

const a4 = { width: 210, height: 297 };
const paste = (text: string) => foreignElement(a4, { text, html: '' })?.element ?? null;

describe('text pasted from other programs', () => {
  test('text becomes a text element with a paragraph for each part', () => {
    const element = paste('First part\r\nwith two lines\r\n\r\n\r\nSecond part\r\n');
    expect(element).toMatchObject({
      type: 'text',
      blocks: [
        { type: 'paragraph', runs: [{ text: 'First part\nwith two lines' }] },
        { type: 'paragraph', runs: [{ text: 'Second part' }] },
      ],
    });
    expect(pageElement.safeParse(element).error).toBeUndefined();
  });

  test('spreadsheet cells become a table, with a header if the first line has no empty cell', () => {
    expect(paste('Item\tCount\nLamp\t3\nRug\t\n')).toMatchObject({
      type: 'table',
      header: true,
      columns: [{ label: 'Item' }, { label: 'Count' }],
      rows: [
        ['Lamp', '3'],
        ['Rug', ''],
      ],
    });
    expect(paste('Lamp\t\nRug\t2')).toMatchObject({
      header: false,
      rows: [
        ['Lamp', ''],
        ['Rug', '2'],
      ],
    });
    const wide = Array.from({ length: 400 }, (_, row) => `row ${row}\t${'x'.repeat(2000)}`).join('\n');
    const long = paste(wide);
    expect(pageElement.safeParse(long).error).toBeUndefined();
    expect(foreignElement(a4, { text: wide, html: '' })?.leftOut).toMatch(/^The table is full.* 100 rows/);
    expect(long).toMatchObject({ header: false, h: expect.closeTo(168.5, 0) });
  });

  test('spreadsheet cells become a table even if the first cell is empty', () => {
    const html = '<table><tr><td></td><td>Q1</td></tr><tr><td>Lamp</td><td>3</td></tr></table>';
    expect(foreignElement(a4, { text: '\tQ1\r\nLamp\t3', html })).toMatchObject({
      element: {
        type: 'table',
        rows: [
          ['', 'Q1'],
          ['Lamp', '3'],
        ],
      },
      leftOut: null,
    });
  });

  test('indented text and lists of a word processor stay text', () => {
    expect(paste('\tIndented\nmore')?.type).toBe('text');
  });

  test('empty text and text of more than a million characters add no elements', () => {
    expect(paste(' \n ')).toBeNull();
    expect(paste('x'.repeat(1_000_001))).toBeNull();
  });
});
