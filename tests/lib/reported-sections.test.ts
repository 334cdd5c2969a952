import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { HttpError } from '@/lib/errors/problem';
import { parseInput } from '@/lib/http/parse';
import { specCallbackBody } from '@/lib/specs/schema';

const report = (sections: unknown) => ({
  spec_upload_id: randomUUID(),
  status: 'completed',
  sections_count: 1,
  sections,
});

test.each<[string, unknown, RegExp]>([
  ['2,001 sections', Array(2_001).fill({ title: 'A' }), /at most 2,000 sections/],
  ['a section without a title', [{ title: ' \n' }], /must not be empty/],
  ['a page 0', [{ title: 'A', page: 0 }], /page/],
  ['a level 0', [{ title: 'A', level: 0 }], /level/],
  ['a value that is not a list', { title: 'A' }, /sections/],
])('a report with %s is refused with the reason', (_name, sections, why) => {
  try {
    parseInput(specCallbackBody, report(sections));
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(HttpError);
    expect(error).toMatchObject({ code: 'invalid_request' });
    expect(JSON.stringify((error as HttpError).extra)).toMatch(why);
  }
});

test('a report with 2,000 sections is accepted', () => {
  expect(() => parseInput(specCallbackBody, report(Array(2_000).fill({ title: 'A' })))).not.toThrow();
});
