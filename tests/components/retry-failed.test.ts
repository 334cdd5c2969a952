import { expect, test } from 'vitest';
import { type RetryApi, type RetryProgress, retryAllFailed } from '@/components/specs/retry-failed';
import { ApiError, OfflineError } from '@/lib/http/client';

/**
 * Creates a server with these failed specs, two per page. The first calls for an id in `errors` fail with those errors.
 */
function serverOf(ids: string[], errors: Record<string, Error[]> = {}) {
  const retried: string[] = [];
  const waits: number[] = [];
  const api: RetryApi = {
    async listFailed(cursor) {
      const from = Number(cursor ?? 0);
      return { ids: ids.slice(from, from + 2), nextCursor: from + 2 < ids.length ? String(from + 2) : null };
    },
    async retry(id) {
      const error = errors[id]?.shift();
      if (error) throw error;
      retried.push(id);
    },
    async wait(ms) {
      waits.push(ms);
    },
  };
  return { api, retried, waits };
}
const problem = (status: number, retryAfter?: string) => new ApiError(status, { detail: 'No.' }, retryAfter);
const run = (api: RetryApi, steps: RetryProgress[] = [], controller = new AbortController()) =>
  retryAllFailed(api, (step) => steps.push(step), controller.signal);

test('retryAllFailed retries the specs of all pages', async () => {
  const server = serverOf(['a', 'b', 'c', 'd', 'e']);
  const steps: RetryProgress[] = [];
  expect(await run(server.api, steps)).toMatchObject({ total: 5, retried: 5, skipped: 0, errors: [] });
  expect(server.retried).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(steps.map(({ retried }) => retried)).toEqual([0, 1, 2, 3, 4, 5]);
});

test('specs that are no longer failed are skipped, and other errors do not stop the run', async () => {
  const server = serverOf(['a', 'b', 'c', 'd'], { a: [problem(409)], b: [problem(404)], c: [problem(500)] });
  const end = await run(server.api);
  expect(end).toMatchObject({ retried: 1, skipped: 2 });
  expect(end.errors.map(({ id }) => id)).toEqual(['c']);
});

test('after a 429 the run waits and retries the same spec', async () => {
  const server = serverOf(['a', 'b'], { a: [problem(429, '7'), problem(429)] });
  const steps: RetryProgress[] = [];
  expect(await run(server.api, steps)).toMatchObject({ retried: 2, waiting: false });
  expect(server.waits).toEqual([7_000, 10_000]);
  expect(steps.some(({ waiting }) => waiting)).toBe(true);
});

test('a lost connection or an expired session ends the run', async () => {
  await expect(run(serverOf(['a'], { a: [new OfflineError()] }).api)).rejects.toThrow(OfflineError);
  await expect(run(serverOf(['a'], { a: [problem(401)] }).api)).rejects.toThrow(ApiError);
});

test('canceling stops the run after the current spec', async () => {
  const server = serverOf(['a', 'b', 'c']);
  const controller = new AbortController();
  const end = await retryAllFailed(
    server.api,
    ({ retried }) => retried === 1 && controller.abort(),
    controller.signal,
  );
  expect(end.retried).toBe(1);
  expect(server.retried).toEqual(['a']);
});
