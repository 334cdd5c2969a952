import { describe, expect, test } from 'vitest';
import { tableElement, textElement } from '@/lib/document/page-model';
import { blocksWithinFrame, rowsWithinFrame } from '@/lib/document/within-frame';

const frame = { id: 'e', x: 0, y: 0, w: 150, h: 150 };
const paragraph = (text: string, more: object = {}) => ({
  type: 'paragraph' as const,
  runs: [{ text, ...more }],
});
const textOf = (more: object) => textElement.parse({ ...frame, type: 'text', ...more });
const tableOf = (rows: string[][], more: object = {}) =>
  tableElement.parse({ ...frame, type: 'table', columns: [{ label: '' }], rows, ...more });
const length = (element: ReturnType<typeof textOf>) => JSON.stringify(blocksWithinFrame(element)).length;

/** Returns the `style` field of a block. */
const style = (more: object) => ({ style: { id: 's', font: null, fontSize: 11, lineHeight: 1.4, ...more } });

describe('blocksWithinFrame', () => {
  test('the part of a text far below its frame is dropped', () => {
    const long = textOf({ fontSize: 400, blocks: [paragraph('W'.repeat(20_000))] });
    expect(length(long)).toBeLessThan(400);
    const lines = textOf({ fontSize: 20, blocks: Array(500).fill(paragraph('x\nx\nx\nx')) });
    expect(blocksWithinFrame(lines).length).toBeLessThan(15);
    // The font size of a style overrides the sizes of the element and of a heading.
    const styled = {
      ...style({ fontSize: 400 }),
      type: 'heading',
      level: 3,
      runs: [{ text: 'W'.repeat(20_000) }],
    };
    expect(length(textOf({ fontSize: 4, blocks: [styled] }))).toBeLessThan(600);
    const list = textOf({ blocks: [{ type: 'list', items: Array(500).fill([{ text: '木'.repeat(100) }]) }] });
    expect(length(list)).toBeLessThan(length({ ...list, h: 1_000 }) / 2);
  });

  test('the part of a text that may be visible is kept', () => {
    const kept = [
      // All letters might fit if they were as narrow as possible.
      textOf({ h: 30, blocks: [paragraph('i'.repeat(900))] }),
      textOf({ h: 1, w: 2_000, fontSize: 4, blocks: [paragraph('x'.repeat(9_000))] }),
      // These texts contain no characters with a known minimum width.
      textOf({ h: 1, blocks: [paragraph(' '.repeat(9_000))] }),
      textOf({ h: 1, blocks: [paragraph('\u0301'.repeat(9_000))] }),
      textOf({ h: 1, blocks: Array(500).fill(paragraph('')) }),
      // The size, position, font or tracking may make these letters narrower than usual.
      textOf({ h: 10, fontSize: 40, blocks: [paragraph('x'.repeat(2_000), { size: 4 })] }),
      textOf({ h: 10, fontSize: 40, blocks: [paragraph('x'.repeat(400), { position: 'superscript' })] }),
      textOf({ h: 10, fontSize: 40, blocks: [paragraph('x'.repeat(800), { font: 'Lora' })] }),
      textOf({ h: 10, fontSize: 40, blocks: [paragraph('x'.repeat(800), { tracking: -100 })] }),
      textOf({ h: 10, fontSize: 40, font: 'Lora', blocks: [paragraph('x'.repeat(800))] }),
      // The first block has a smaller line height than the element.
      textOf({
        h: 10,
        lineHeight: 4,
        blocks: [{ ...paragraph('x\nx'), lineHeight: 0.8 }, paragraph('y'.repeat(600))],
      }),
      // These styles may make letters narrower than usual or reduce the line height.
      ...[{ fontSize: 4 }, { fontSize: 40, font: 'Lora' }, { fontSize: 40, tracking: -100 }].map((more) =>
        textOf({ h: 10, fontSize: 40, blocks: [{ ...paragraph('x'.repeat(800)), ...style(more) }] }),
      ),
      textOf({
        h: 10,
        lineHeight: 4,
        blocks: [{ ...paragraph('x\nx'), ...style({ lineHeight: 0.8 }) }, paragraph('y'.repeat(600))],
      }),
    ];
    for (const element of kept) expect(blocksWithinFrame(element)).toEqual(element.blocks);
  });

  test('a text is not cut within a surrogate pair', () => {
    const element = textOf({ h: 10, fontSize: 40, blocks: [paragraph('W🌿'.repeat(2_000))] });
    const [block] = blocksWithinFrame(element);
    const [run] = block?.type === 'paragraph' ? block.runs : [];
    expect(run?.text.length).toBeLessThan(2_000);
    expect(run?.text.isWellFormed()).toBe(true);
  });
});

describe('rowsWithinFrame', () => {
  test('the rows of a table far below its frame are dropped, and more rows are kept if they are empty', () => {
    const rows = Array.from({ length: 300 }, (_, row) => [String(row)]);
    const kept = rowsWithinFrame(tableOf(rows));
    expect(kept).toEqual(rows.slice(0, kept.length));
    expect(kept.length).toBeGreaterThan(150 / 6.6);
    expect(kept.length).toBeLessThan(40);
    const empty = Array.from({ length: 300 }, () => ['']);
    expect(rowsWithinFrame(tableOf(empty)).length).toBeGreaterThan(150 / 2.4);
  });

  test('all rows of a table that fits are kept', () => {
    const rows = Array.from({ length: 20 }, () => ['x']);
    expect(rowsWithinFrame(tableOf(rows))).toEqual(rows);
  });
});
