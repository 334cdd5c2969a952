import { beforeAll, describe, expect, inject, test } from 'vitest';
import { catalogueResponse } from '@/lib/admin/schema';
import { type Spec, type SpecsResponse, specsResponse } from '@/lib/specs/schema';
import { type Api, apiAt, excerpt, expectProblem } from '@/tests/app/support/api';
import { newAdmin } from '@/tests/app/support/people';
import { inParallel, poll } from '@/tests/app/support/poll';
import { readSpec, report, unique, upload, waitForStatus } from '@/tests/app/support/specs';
import { makePdf } from '@/tests/pdf/support/make-pdf';

const { url, env } = inject('atelier');
const brandName = unique('List');
const brandWithText = unique('Text');
let admin: Api;
let ids: string[];
let specWithText: string;

async function list(query: Record<string, string>): Promise<SpecsResponse> {
  const response = await admin(`/api/admin/specs?${new URLSearchParams({ brand: brandName, ...query })}`);
  expect(response.status, excerpt(response)).toBe(200);
  return specsResponse.parse(response.body);
}
/** Adds a spec without numbers in its text, so that a search for a number matches only names. */
const add = async (property: string, area = 'Lobby', fileName = 'spec.pdf') => {
  const file = await makePdf({ sections: 0 });
  return upload(admin, { brandName, area, file, fileName, propertyName: `${property} [silent]` });
};
const idsOf = (specs: Spec[]) => specs.map(({ specUploadId }) => specUploadId);

// Of the 13 specs, 5 have the area Corridor, 3 are completed and 2 have failed.
beforeAll(async () => {
  admin = apiAt(url, (await newAdmin(env)).headers);
  for (const name of [brandName, brandWithText]) await admin('/api/admin/brands', { json: { name } });
  // The last test needs the text of this PDF, which is read in the background while the other tests run.
  specWithText = await upload(admin, {
    brandName: brandWithText,
    area: 'Bathroom',
    propertyName: 'Text [silent]',
    file: await makePdf({ sections: 3, title: 'Überwürfe' }),
  });
  ids = await inParallel(Array.from({ length: 13 }), 4, (_, i) =>
    add(`Hotel ${i} 100%_x`, i < 5 ? 'Corridor' : 'Lobby', `file_${i}.pdf`),
  );
  await inParallel(ids, 4, (id) => waitForStatus(admin, id, 'processing'));
  await inParallel(ids.slice(0, 5), 4, (id, i) =>
    report(apiAt(url), env.WEBHOOK_SECRET, { spec_upload_id: id, status: i < 3 ? 'completed' : 'failed' }, 1),
  );
});

test('the list shows all specs, newest first, with counts that ignore the status filter', async () => {
  const { specs, counts, nextCursor } = await list({});
  expect(new Set(idsOf(specs))).toEqual(new Set(ids));
  expect(nextCursor).toBeNull();
  const times = specs.map(({ createdAt }) => createdAt);
  expect(times).toEqual([...times].sort().reverse());
  expect(counts).toEqual({ pending: 0, processing: 8, completed: 3, failed: 2 });
});

test.each<[Record<string, string>, number, object]>([
  [{ status: 'completed' }, 3, { processing: 8, completed: 3, failed: 2 }],
  [{ status: 'failed' }, 2, { processing: 8, completed: 3, failed: 2 }],
  [{ status: 'pending' }, 0, { processing: 8 }],
  [{ area: 'Corridor' }, 5, { processing: 0, completed: 3, failed: 2 }],
  [{ area: 'Corridor', status: 'failed' }, 2, { completed: 3 }],
  [{ area: 'Nowhere' }, 0, { processing: 0, completed: 0 }],
  [{ brand: 'Nobody' }, 0, { processing: 0 }],
  [{ q: 'hotel 12 ' }, 1, { processing: 1 }],
  [{ q: '100%_x' }, 13, {}],
  [{ q: '100__x' }, 13, {}],
  [{ q: 'x 100' }, 13, {}],
  [{ q: 'x 101' }, 0, { processing: 0 }],
  [{ q: '%' }, 13, {}],
  [{ q: 'FILE_1.pdf' }, 1, {}],
  [{ q: 'file_11' }, 1, {}],
  [{ q: 'file_11', status: 'completed' }, 0, { processing: 1, completed: 0 }],
  [{ q: 'filex1' }, 0, {}],
  [{ q: '\\' }, 13, {}],
  [{ q: '   ' }, 13, {}],
  [{ q: 'corridor' }, 5, {}],
  [{ q: `"),or(id.not.is.null` }, 0, {}],
  [{ area: 'Lobby,area.eq.Corridor' }, 0, {}],
])('the list of specs is filtered by %o', async (query, found, counts) => {
  const response = await list(query);
  expect(response.specs).toHaveLength(found);
  expect(response.counts).toMatchObject(counts);
});

describe('pages of the list', () => {
  test.each(['1', '4', '5', '13'])('pages of %s specs list each row once', async (limit) => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: SpecsResponse = await list({ limit, ...(cursor ? { cursor } : {}) });
      expect(page.specs.length).toBeLessThanOrEqual(Number(limit));
      expect(page.counts.processing).toBe(8);
      seen.push(...idsOf(page.specs));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(idsOf((await list({})).specs));
  });

  test('pages of the list stay stable while rows are added', async () => {
    const first = await list({ limit: '5' });
    const added = await add('Added');
    const second = await list({ limit: '5', cursor: first.nextCursor ?? '' });
    const again = await add('Added');
    const third = await list({ limit: '5', cursor: second.nextCursor ?? '' });
    const seen = [first, second, third].flatMap(({ specs }) => idsOf(specs));
    expect(new Set(seen)).toEqual(new Set(ids));
    expect(seen).toHaveLength(ids.length);
    for (const id of [added, again]) await admin(`/api/admin/specs/${id}`, { method: 'DELETE' });
  });
});

describe('the order of the list', () => {
  const pagesOf = async (query: Record<string, string>): Promise<Spec[]> => {
    const seen: Spec[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: SpecsResponse = await list({ ...query, limit: '4', ...(cursor ? { cursor } : {}) });
      seen.push(...page.specs);
      cursor = page.nextCursor;
    }
    return seen;
  };

  test.each(['newest', 'oldest', 'file', 'brand', 'status', 'match'])(
    'pages of the list sorted by %s list each row once, in the order of the whole list',
    async (sort) => {
      const whole = (await list({ sort })).specs;
      expect(idsOf(await pagesOf({ sort }))).toEqual(idsOf(whole));
      expect(new Set(idsOf(whole))).toEqual(new Set(ids));
      const newest = (await list({})).specs;
      const place = new Map(idsOf(newest).map((id, n) => [id, n]));
      const keyOf = ({ fileName, status }: Spec) =>
        sort === 'file' ? fileName.toLowerCase() : sort === 'status' ? status : '';
      const expected = [...newest].sort((a, b) =>
        keyOf(a) === keyOf(b)
          ? (place.get(a.specUploadId) ?? 0) - (place.get(b.specUploadId) ?? 0)
          : keyOf(a) < keyOf(b)
            ? -1
            : 1,
      );
      if (sort === 'oldest') expected.reverse();
      expect(idsOf(whole)).toEqual(idsOf(expected));
    },
  );

  test('pages of the list sorted by file name stay stable while rows are added, regardless of the characters in the names', async () => {
    const area = 'Restaurant';
    const names = ['a "quoted", (odd) one.pdf', 'b,c).pdf', 'ü 图 🎨.pdf', 'b*%_.pdf'];
    const odd = await inParallel(names, 4, (fileName) => add('Odd', area, fileName));
    const added: string[] = [];
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: SpecsResponse = await list({
        area,
        sort: 'file',
        limit: '1',
        ...(cursor ? { cursor } : {}),
      });
      seen.push(...idsOf(page.specs));
      // The added spec comes before all others in the list, so it shifts them.
      if (seen.length < 3) added.push(await add('Odd', area, '0.pdf'));
      cursor = page.nextCursor;
    }
    expect(seen).toHaveLength(names.length);
    expect(new Set(seen)).toEqual(new Set(odd));
    await admin('/api/admin/specs/batch/delete', { json: { specUploadIds: [...odd, ...added] } });
  });

  test('a cursor of another order is refused', async () => {
    const { nextCursor } = await list({ limit: '1' });
    const response = await admin(`/api/admin/specs?sort=file&cursor=${nextCursor}`);
    expect(expectProblem(response, 'invalid_request').errors?.[0]?.path).toBe('cursor');
  });
});

test('the list of specs is limited to days in UTC, both inclusive', async () => {
  const { specs } = await list({});
  const days = specs.map(({ createdAt }) => createdAt.slice(0, 10)).sort();
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const dayBefore = new Date(Date.parse(first) - 1).toISOString().slice(0, 10);
  const whole = await list({ from: first, to: last });
  expect(whole.specs).toHaveLength(13);
  expect(whole.counts).toEqual({ pending: 0, processing: 8, completed: 3, failed: 2 });
  const earlier = await list({ to: dayBefore, q: 'hotel' });
  expect([earlier.specs, earlier.counts.processing]).toEqual([[], 0]);
  expect((await list({ from: '2999-12-31', to: '1000-01-01' })).counts.processing).toBe(0);
});

test.each(['2026-02-30', '0999-01-01', '3000-01-01', '2026-1-1', '2026-01-01T00:00:00Z', 'today'])(
  'the day %s is refused',
  async (day) => {
    for (const name of ['from', 'to']) {
      const response = await admin(`/api/admin/specs?${name}=${day}`);
      expect(expectProblem(response, 'invalid_request').errors?.[0]?.path).toBe(name);
    }
  },
);

test.each([
  ['1', 1],
  ['13', 13],
  ['100', 13],
  ['101', 13],
  ['1000000000000', 13],
  ['007', 7],
  ['', 13],
])('a limit of %s returns %i specs', async (limit, n) => {
  expect((await list({ limit })).specs).toHaveLength(n);
});

test.each(['0', '-5', '1e3', '1.5', ' 5', '+5', '0x10', 'all', '٣'])(
  'a limit of %j is refused',
  async (limit) => {
    const response = await admin(`/api/admin/specs?limit=${encodeURIComponent(limit)}`);
    expect(expectProblem(response, 'invalid_request').errors?.[0]?.path).toBe('limit');
  },
);

test('a cursor that the list did not return is refused', async () => {
  const { nextCursor } = await list({ limit: '1' });
  const encode = (value: unknown) => btoa(JSON.stringify(value));
  const [createdAt, id] = JSON.parse(atob(nextCursor ?? ''));
  const forged = [
    'x',
    nextCursor?.slice(0, -4),
    encode([createdAt]),
    encode([createdAt, 'x']),
    encode(['yesterday', id]),
    encode(['0000-01-01T00:00:00+00:00', id]),
    encode(['2026-01-01T00:00:00+23:59', id]),
    encode([`${createdAt}",id.gt.0`, id]),
    encode([createdAt, `${id}),or(id.not.is.null`]),
    encode({ createdAt, id }),
    'x'.repeat(201),
  ];
  for (const cursor of forged) {
    const response = await admin(`/api/admin/specs?cursor=${encodeURIComponent(cursor ?? '')}`);
    expect(expectProblem(response, 'invalid_request').errors?.[0]?.path, cursor).toBe('cursor');
  }
});

describe('brands and areas', () => {
  test.each(['brands', 'areas'])('%s are sorted and complete, and have unique names', async (kind) => {
    const path = `/api/admin/${kind}`;
    const name = unique('Ärea');
    const created = await admin(path, { json: { name: `  ${name} ` } });
    expect([created.status, created.body]).toEqual([201, { name }]);
    const wide = name.toUpperCase().replace('E', 'Ｅ').replace(' ', '  ');
    const again = await admin(path, { json: { name: wide } });
    expect(expectProblem(again, 'already_exists').name).toBe(name);
    const names = ((await admin(path)).body as Record<string, string[]>)[kind] ?? [];
    expect(names).toContain(name);
    const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
    expect(names).toEqual([...names].sort(collator.compare));
  });

  test('eight simultaneous requests for one brand create a single brand', async () => {
    const name = unique('Herd');
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => admin('/api/admin/brands', { json: { name } })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  });

  test.each([
    ['brands', 'brandName', 'unknown_brand'],
    ['areas', 'area', 'unknown_area'],
  ] as const)(
    '%s are renamed, merged and deleted, and the catalog counts their specs',
    async (list, field, code) => {
      const [one, two] = [unique('One'), unique('Two')];
      for (const name of [one, two]) await admin(`/api/admin/${list}`, { json: { name } });
      const id = await upload(admin, { [field]: one, propertyName: '[silent]' });
      const change = (what: string, json: object) => admin(`/api/admin/${list}/${what}`, { json });
      const countOf = async (name: string) => {
        const { body } = await admin('/api/admin/catalogue');
        return catalogueResponse.parse(body)[list].find((entry) => entry.name === name)?.specs;
      };
      expect([await countOf(one), await countOf(two)]).toEqual([1, 0]);

      expect(expectProblem(await change('rename', { name: one, newName: two }), 'already_exists').name).toBe(
        two,
      );
      const renamed = unique('Renamed');
      expect((await change('rename', { name: one, newName: renamed })).body).toEqual({ name: renamed });
      expectProblem(await change('rename', { name: one, newName: renamed }), 'not_found');
      expect((await readSpec(admin, id))[field]).toBe(renamed);

      expectProblem(await change('delete', { name: renamed }), 'state_conflict');
      expectProblem(await change('merge', { name: renamed, into: renamed.toUpperCase() }), 'invalid_request');
      expectProblem(await change('merge', { name: renamed, into: one }), code);
      const { body: merged } = await change('merge', { name: renamed, into: two });
      expect(merged).toEqual({ name: two, specs: 1 });
      expect((await readSpec(admin, id))[field]).toBe(two);
      expect([await countOf(renamed), await countOf(two)]).toEqual([undefined, 1]);

      await admin(`/api/admin/specs/${id}`, { method: 'DELETE' });
      expect((await change('delete', { name: two })).status).toBe(204);
      expectProblem(await change('delete', { name: two }), 'not_found');
    },
  );

  test('an Idempotency-Key returns the same response again, and 409 for another name', async () => {
    const name = unique('Key');
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const post = (json: object) => admin('/api/admin/brands', { json, headers });
    const responses = await Promise.all([post({ name }), post({ name }), post({ name })]);
    for (const response of responses) expect([response.status, response.body]).toEqual([201, { name }]);
    expectProblem(await post({ name: unique('Other') }), 'idempotency_mismatch');
  });
});

test('the text of a PDF is searched, and the passage and its page are returned', async () => {
  const id = specWithText;
  const search = (query: Record<string, string>) => list({ brand: brandWithText, ...query });
  await poll(`the text of ${id} is read`, async () => (await readSpec(admin, id)).textState === 'done');
  const { specs, counts } = await search({ q: 'section 3 bathroom' });
  expect(idsOf(specs)).toEqual([id]);
  expect(counts).toEqual({ pending: 0, processing: 1, completed: 0, failed: 0 });
  const { page, passage = '', marks = [] } = specs[0]?.match ?? {};
  expect(page).toBe(3);
  expect(marks.map(({ start, end }) => passage.slice(start, end))).toEqual(['Section', '3']);
  expect((await search({ q: 'bathroom uberw' })).specs[0]?.match?.page).toBe(1);
  expect((await search({ q: 'bathroom text' })).specs[0]).not.toHaveProperty('match');
  expect((await search({ q: 'bathroom uberw', area: 'Lobby' })).specs).toEqual([]);
  expect((await readSpec(admin, id)).status).toBe('processing');
  await admin(`/api/admin/specs/${id}`, { method: 'DELETE' });
  expect((await search({ q: 'bathroom uberw' })).specs).toEqual([]);
});
