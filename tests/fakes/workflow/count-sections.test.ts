import { expect, test } from 'vitest';
import { countSections } from '@/tests/fakes/workflow/count-sections';
import { notPdf, truncatePdf } from '@/tests/pdf/support/broken-pdf';
import { makeEncryptedPdf, makePdf, type PdfOptions } from '@/tests/pdf/support/make-pdf';

test.each<[string, PdfOptions, number]>([
  ['top-level bookmarks only', { sections: 5 }, 5],
  ['bookmarks before headings', { sections: 4, headings: false }, 4],
  ['headings by their size', { sections: 6, outline: false }, 6],
  ['headings under a title', { sections: 4, outline: false, title: 'Grand Hotel' }, 4],
  ['a single heading under a title', { sections: 1, outline: false, title: 'Grand Hotel' }, 1],
  ['no sections without bookmarks and headings', { sections: 2, outline: false, headings: false }, 0],
])('countSections counts %s', async (_name, options, sections) => {
  expect(await countSections(await makePdf(options))).toBe(sections);
});

test('countSections reports files that it cannot read with a message', async () => {
  await expect(makeEncryptedPdf().then(countSections)).rejects.toThrow(
    'the PDF is protected with a password',
  );
  for (const [name, bytes] of Object.entries(notPdf)) {
    await expect(countSections(new Uint8Array(bytes)), name).rejects.toThrow(
      'the file is not a readable PDF',
    );
  }
  const cut = truncatePdf(await makePdf({ sections: 3 }), 0.2);
  await expect(countSections(cut)).rejects.toThrow('the file is not a readable PDF');
});
