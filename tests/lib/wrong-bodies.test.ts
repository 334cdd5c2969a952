import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HttpError } from '@/lib/errors/problem';
import { parseInput } from '@/lib/http/parse';
import { parseJson, readJsonBytes } from '@/lib/http/read-json';
import { accessTable } from '@/tests/app/support/access-table';
import { brokenJson, wrongBodies } from '@/tests/app/support/mutations';
import { rightBody } from '@/tests/app/support/right-bodies';
import { loadRoute } from '@/tests/app/support/route-files';

const id = '00000000-0000-4000-8000-000000000001';
const existing = { projectId: id, imageId: id, imagePath: `images/projects/${id}/inputs/a.png`, jobId: id };
const seed = Number(process.env.ATELIER_SEED ?? Date.now() % 1e9);

const targets = [];
for (const { route, method } of accessTable) {
  const { facts } = (await loadRoute(route))[method] ?? {};
  const { body: schema, interpretBody } = facts ?? {};
  // `tests/lib/read-callback.test.ts` tests the routes that accept other forms than they document.
  if (schema && !interpretBody) targets.push({ name: `${method} ${route}`, schema });
}

const readJson = async (request: Request) => parseJson(await readJsonBytes(request));

function send(body: string | Uint8Array<ArrayBuffer>): Request {
  const headers = { 'content-type': 'application/json' };
  return new Request('http://product.test', { method: 'POST', headers, body });
}

/** Returns the HttpError that `run` throws, or null if it throws none. Rethrows any other error. */
async function refusal(run: () => unknown): Promise<HttpError | null> {
  try {
    await run();
    return null;
  } catch (error) {
    if (error instanceof HttpError) return error;
    throw error;
  }
}

describe.each(targets)('the body of $name', ({ name, schema }) => {
  test(`a valid body of ${name} is accepted`, async () => {
    const json = await readJson(send(JSON.stringify(rightBody(name, existing))));
    expect(await refusal(() => parseInput(schema, json))).toBeNull();
  });

  test(`a changed body of ${name} is accepted, or refused with invalid_request and the path of each mistake`, async () => {
    await fc.assert(
      fc.asyncProperty(wrongBodies(rightBody(name, existing)), async (body) => {
        const read = await refusal(() => readJson(send(JSON.stringify(body))));
        if (read) {
          expect(read.code).toBe('invalid_json');
          return;
        }
        const json: unknown = JSON.parse(JSON.stringify(body));
        const refused = await refusal(() => parseInput(schema, json));
        if (!refused) return;
        expect(refused.code).toBe('invalid_request');
        expect(refused.extra.errors?.length).toBeGreaterThan(0);
        expect(refused.message).toMatch(/^.+\.$/s);
      }),
      { seed, numRuns: 150 },
    );
  });

  test(`a body of ${name} that is not JSON is refused with invalid_json`, async () => {
    await fc.assert(
      fc.asyncProperty(brokenJson(rightBody(name, existing)), async (body) => {
        expect((await refusal(() => readJson(send(body))))?.code).toBe('invalid_json');
      }),
      { seed, numRuns: 50 },
    );
  });
});
