import { expect, test } from 'vitest';
import { exportOptions, projectDocument } from '@/lib/document/schema';
import { planSheets } from '@/lib/document/sheets';
import { outlineOf } from '@/lib/pdf/fast/outline-of';
import type { OutlineEntry } from '@/lib/pdf/splice/write-outline';

type Nested = [title: string, inner: Nested[]];
const nested = ({ title, inner }: OutlineEntry): Nested => [title, inner.map(nested)];

test('headings are nested below the closest preceding heading of a higher level', () => {
  const headings = [
    ['Arrival', 1],
    ['Oak', 2],
    ['Linen', 2],
    ['Threads', 3],
    ['Light', 1],
    ['Lamps', 3],
    ['Windows', 2],
  ] as const;
  const elements = headings.map(([text, level], index) => ({
    ...{ id: `heading-${index}`, type: 'text', x: 20, y: 20 + 20 * index, w: 100, h: 15 },
    blocks: [{ type: 'heading', level, runs: [{ text }] }],
  }));
  const document = projectDocument.parse({
    version: 1,
    pages: [{ id: 'page', title: 'Arrival', elements }],
  });
  const outline = outlineOf(planSheets(document, 'Hotel', exportOptions.parse({})));
  // The first heading repeats the title of the page, so it has no entry of its own.
  expect(outline.map(nested)).toEqual([
    [
      'Arrival',
      [
        ['Oak', []],
        ['Linen', [['Threads', []]]],
        [
          'Light',
          [
            ['Lamps', []],
            ['Windows', []],
          ],
        ],
      ],
    ],
  ]);
});
