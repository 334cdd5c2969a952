import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pastedText } from '@/lib/http/pasted-text';
import { readSpecCallback } from '@/lib/specs/read-callback';
import { saveSectionsBody } from '@/lib/specs/sections/schema';
import { anyText } from '@/tests/setup/any-text';

const prompt = pastedText({ max: 10, multiline: true });
const line = pastedText({ max: 10 });

test.each([
  ['a\vb', 'a b'],
  ['\u0007a\u009fb\u007f', 'a b'],
  [' a\r\n\tb ', 'a\r\n\tb'],
  ['\u2067شقة\u2069', '\u2067شقة\u2069'],
  ['👩‍🎨'.repeat(3), '👩‍🎨'.repeat(3)],
])('the pasted prompt %j is read as %j', (given, taken) => {
  expect(prompt.parse(given)).toBe(taken);
});

test('line breaks and tabs of a pasted text become spaces in a single line', () => {
  expect(line.parse('a\r\n\tb\vc')).toBe('a   b c');
});

test.each([
  ['\v\u0007 ', 'must not be empty'],
  ['12345678901', 'must have at most 10 characters'],
  ['x'.repeat(1000), 'must have at most 10 characters'],
  ['a\u202eb', 'must not contain characters that reorder text'],
  ['a\ud800', 'must not contain broken characters'],
])('the pasted prompt %j is refused', (given, message) => {
  expect(prompt.safeParse(given).error?.issues.map((issue) => issue.message)).toContain(message);
});

test('reported sections can be saved as a correction, regardless of their characters', () => {
  const sections = [{ title: '\u202eA\u0007', text: 'b\u0007\n\u202ac' }];
  const body = { spec_upload_id: randomUUID(), status: 'completed', sections };
  const reported = readSpecCallback(body, {});
  if (reported.status === 'running') return expect.unreachable();
  expect(saveSectionsBody.parse({ version: 1, sections: reported.sections }).sections).toEqual([
    { title: 'A', level: 1, text: 'b \nc' },
  ]);
});

test('an accepted pasted text can be stored, and parsing it again does not change it', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 30 }), (given) => {
      const { data } = prompt.safeParse(given);
      if (data === undefined) return;
      expect(data.isWellFormed() && !data.includes('\0') && [...data].length <= 10).toBe(true);
      expect(prompt.parse(data)).toBe(data);
    }),
  );
});
