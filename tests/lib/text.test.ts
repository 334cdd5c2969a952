import fc from 'fast-check';
import { expect, test } from 'vitest';
import { text } from '@/lib/http/text';
import { anyText } from '@/tests/setup/any-text';

const name = text({ max: 10 });
const prompt = text({ max: 10, multiline: true });

test.each([
  ['  Lobby ', 'Lobby'],
  ['1234567890', '1234567890'],
  [`${' '.repeat(15)}1234567890${' '.repeat(15)}`, '1234567890'],
  ['🎨'.repeat(10), '🎨'.repeat(10)],
  ['café', 'café'],
  ['مرحبا', 'مرحبا'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['क्\u200dष', 'क्\u200dष'],
  ['👩\u200d🚀', '👩\u200d🚀'],
  ['Nordlys\u200b', 'Nordlys'],
  ['Nord\u200dlys', 'Nordlys'],
  ['\ufeff\u2060 Nord\u00adlys\u200e\u{e0041}', 'Nordlys'],
])('the name %j is accepted', (given, taken) => {
  expect(name.parse(given)).toBe(taken);
});

test.each([
  ['', 'must not be empty'],
  [' \t\n ', 'must not be empty'],
  ['\u200b\u200b', 'must not be empty'],
  ['12345678901', 'must have at most 10 characters'],
  ['🎨'.repeat(11), 'must have at most 10 characters'],
  ['x'.repeat(1000), 'must have at most 10 characters'],
  ['a\0b', 'must not contain control characters'],
  ['a\u007fb', 'must not contain control characters'],
  ['a\u202eb', 'must not contain control characters'],
  ['a\u2066b', 'must not contain control characters'],
  ['a\ud800', 'must not contain broken characters'],
  ['a\nb', 'must be a single line'],
  ['a\tb', 'must be a single line'],
  ['a\u2028b', 'must be a single line'],
  ['a\u2029b', 'must be a single line'],
])('the name %j is refused', (given, message) => {
  const { error } = name.safeParse(given);
  expect(error?.issues.map((issue) => issue.message)).toContain(message);
});

test('a multiline text may have several lines', () => {
  expect(prompt.parse(' a\r\n\tb ')).toBe('a\r\n\tb');
  expect(prompt.safeParse('a\0b').success).toBe(false);
});

test('an accepted text can be stored, and parsing it again does not change it', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 30 }), (given) => {
      const { data } = prompt.safeParse(given);
      if (data === undefined) return;
      expect(data.isWellFormed() && !data.includes('\0') && [...data].length <= 10).toBe(true);
      expect(prompt.parse(data)).toBe(data);
    }),
  );
});
