import { expect, test } from 'vitest';
import { findSections } from '@/tests/fakes/workflow/find-sections';
import { notPdf, truncatePdf } from '@/tests/pdf/support/broken-pdf';
import { makeEncryptedPdf, makePdf, type PdfOptions } from '@/tests/pdf/support/make-pdf';

test.each<[string, PdfOptions, number]>([
  ['top-level bookmarks only', { sections: 5 }, 5],
  ['bookmarks before headings', { sections: 4, headings: false }, 4],
  ['headings by their size', { sections: 6, outline: false }, 6],
  ['headings under a title', { sections: 4, outline: false, title: 'Grand Hotel' }, 4],
  ['a single heading under a title', { sections: 1, outline: false, title: 'Grand Hotel' }, 1],
  ['no sections without bookmarks and headings', { sections: 2, outline: false, headings: false }, 0],
])('findSections counts %s', async (_name, options, sections) => {
  expect((await findSections(await makePdf(options))).count).toBe(sections);
});

test('findSections returns headings with their pages', async () => {
  const { headings } = await findSections(await makePdf({ sections: 2, outline: false }));
  expect(headings).toEqual([
    { title: 'Section 1', page: 1 },
    { title: 'Section 2', page: 2 },
  ]);
});

test('findSections reports files that it cannot read with a message', async () => {
  await expect(makeEncryptedPdf().then(findSections)).rejects.toThrow('the PDF is protected with a password');
  for (const [name, bytes] of Object.entries(notPdf)) {
    await expect(findSections(new Uint8Array(bytes)), name).rejects.toThrow('the file is not a readable PDF');
  }
  const cut = truncatePdf(await makePdf({ sections: 3 }), 0.2);
  await expect(findSections(cut)).rejects.toThrow('the file is not a readable PDF');
});
