import { expect, test } from 'vitest';
import { imageUses, printedInches } from '@/lib/document/image-uses';
import { projectDocument } from '@/lib/document/schema';
import { planSheets } from '@/lib/document/sheets';
import { onlyImages } from '@/lib/export/only-images';
import { jsonBytes } from '@/lib/export/packed-document';
import { printOptions } from '@/lib/export/schema';
import { textElement } from '@/tests/app/support/exports';

test('a document that is reduced to its images has the same images in the same sizes', () => {
  const frame = { x: 10, y: 10, w: 80, h: 60 };
  const document = projectDocument.parse({
    version: 3,
    format: 'A3',
    includecover: true,
    cover: { title: 'A', path: 'cover' },
    masters: [
      { id: 'm', elements: [{ ...frame, id: 'logo', type: 'image', path: 'logo' }, textElement('t', 'A')] },
    ],
    pages: [
      {
        id: 'p',
        masterId: 'm',
        elements: [
          textElement('text', 'Words'),
          { ...frame, id: 'photo', type: 'image', path: 'photo', fit: 'contain' },
          { ...frame, id: 'oak', type: 'material', path: 'oak', title: 'Oak', materialId: 'oak' },
          { ...frame, id: 'empty', type: 'image' },
          {
            ...frame,
            id: 'table',
            type: 'table',
            columns: [{ label: 'Item' }],
            rows: [['Lamp'], [{ text: '', path: 'cell', height: 10 }]],
            flowId: 'f',
            breaks: [1],
          },
        ],
      },
      {
        id: 'q',
        elements: [
          { ...frame, w: 40, id: 'rest', type: 'table', columns: [{ label: '' }], rows: [], continues: 'f' },
        ],
      },
    ],
  });
  const size = { width: 900, height: 700 };
  const usesOf = (given: typeof document) =>
    imageUses(planSheets(given, 'A', printOptions({}, given))).map((use) => [
      use.key,
      printedInches(use, size),
    ]);
  const found = onlyImages(jsonBytes(document));
  expect(found.keys.sort()).toEqual(['cell', 'cover', 'logo', 'oak', 'photo']);
  expect(usesOf(found.document)).toEqual(usesOf(document));
  expect(JSON.stringify(found.document)).not.toContain('Words');
});
