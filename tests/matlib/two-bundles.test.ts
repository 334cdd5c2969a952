import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { HttpError } from '@/lib/errors/problem';
import { type Fixture, startFixture } from '@/tests/matlib/support/library-fixture';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

// Imitates the build, in which pages and API routes have separate copies of every module but share one library.
test.each(['limit', 'unavailable', 'slow', 'html', 'down'] as const)(
  'a library in the mode %s leads to a 503 even when it was created by another copy of its modules',
  async (mode) => {
    const library = await fixture.library({ listDeadlineMs: 300 });
    vi.resetModules();
    const { searchMaterials } = await import('@/lib/matlib/search-materials');
    const { searchQuery } = await import('@/lib/matlib/schema');
    await fixture.behave({ mode });
    const error = await searchMaterials(library, searchQuery.parse({})).catch((reason: HttpError) => reason);
    expect(error).toMatchObject({
      code: 'unavailable',
      status: 503,
      extra: { retryAfter: expect.any(Number) },
    });
  },
);

test('an error for the client is recognized by every copy of its module', async () => {
  const { HttpError: Other } = await import('@/lib/errors/problem');
  vi.resetModules();
  const { HttpError, isHttpError } = await import('@/lib/errors/problem');
  const error = new Other('unavailable');
  expect(error).not.toBeInstanceOf(HttpError);
  expect(isHttpError(error)).toBe(true);
  for (const other of [
    new Error('x'),
    Object.assign(new Error('x'), { code: 'unavailable' }),
    { code: 'unavailable' },
    null,
  ]) {
    expect(isHttpError(other)).toBe(false);
  }
});
