import fc from 'fast-check';
import { expect, test } from 'vitest';
import { safeFileName, slug, specPath } from '@/lib/storage/keys';
import { anyText } from '@/tests/setup/any-text';

const id = '0b9ff6b5-51a6-4c6c-8a3c-2f0c5ac2d0a1';

test.each([
  ['Meridian Hotels', 'meridian-hotels'],
  ['  Café & Bar — Zürich ', 'cafe-bar-zurich'],
  ['Ｎｏｒｄ', 'nord'],
  ['../..', ''],
  ['東京', ''],
  ['東京 Lofts', 'lofts'],
  ['🎨', ''],
  [`${'a'.repeat(59)}- b`, 'a'.repeat(59)],
])('the slug of %j is safe', (name, expected) => {
  expect(slug(name)).toBe(expected);
});

test.each([
  ['spec.pdf', 'spec.pdf'],
  ['SPEC.PDF', 'SPEC.pdf'],
  ['a.pdf.pdf', 'a.pdf.pdf'],
  ['no extension', 'no-extension.pdf'],
  ['C:\\specs\\Übersicht 1.pdf', 'Ubersicht-1.pdf'],
  ['../../x.pdf', 'x.pdf'],
  ['a..b...pdf', 'a.b.pdf'],
  ['.pdf', 'file.pdf'],
  ['..', 'file.pdf'],
  ['', 'file.pdf'],
  ['仕様.pdf', 'file.pdf'],
  ['x.pdf.exe', 'x.pdf.exe.pdf'],
])('the safe form of the file name %j is a PDF name', (name, expected) => {
  expect(safeFileName(name, 'pdf')).toBe(expected);
});

test('the path of a spec has its documented shape and stays in its folder, regardless of the names', () => {
  const text = fc.oneof(anyText({ maxLength: 400 }), fc.stringMatching(/^[./\\% a-z-]{0,200}(\.pdf)?$/));
  fc.assert(
    fc.property(text, text, (brand, fileName) => {
      const path = specPath(slug(brand) || id, id, fileName);
      expect(path).toMatch(/^specs\/[a-z0-9]([a-z0-9-]*[a-z0-9])?\/[0-9a-f-]{36}\/[A-Za-z0-9._-]+\.pdf$/);
      expect(path.split('/')).toHaveLength(4);
      expect(path).not.toContain('..');
      expect(path.split('/')[3]?.length).toBeLessThanOrEqual(80);
      expect(new URL(path, 'http://storage.test/').pathname).toBe(`/${path}`);
    }),
  );
});
