import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { getInfo } from '@/lib/matlib/get-info';
import { eventually, type Fixture, search, startFixture } from '@/tests/matlib/support/library-fixture';
import { createTestClock, DAY, HOUR, MINUTE } from '@/tests/matlib/support/test-clock';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterEach(() => fixture.reset());
afterAll(() => fixture.stop());

/** Waits until the fake has received this many list requests. */
async function listRequests(count: number) {
  await eventually(async () => expect((await fixture.seen()).counts.list).toBe(count));
}

test('a thousand callers of an empty cache make one call for each list, with our own user agent', async () => {
  const library = await fixture.library();
  const queries = Array.from({ length: 1_000 }, (_, i) =>
    search(library, { q: `w${i % 50}`, offset: String(i % 20) }),
  );
  const responses = await Promise.all(queries);
  expect(responses.every(({ source }) => source.name === 'Sample library')).toBe(true);
  const { requests } = await fixture.seen();
  const lists = requests.filter(({ kind }) => kind === 'list');
  expect(lists.map(({ path }) => path).sort()).toEqual(
    ['hdris', 'models', 'textures'].map((type) => `/assets?type=${type}`),
  );
  expect(lists.every(({ userAgent }) => userAgent === 'Atelier/0 (+http://atelier.test)')).toBe(true);
});

test('an unchanged list is renewed by a 304, without a new index', async () => {
  const library = await fixture.library();
  const { catalogue: before } = await library.catalogues.get('textures');
  fixture.clock.advance(HOUR + 1_000);
  expect((await search(library)).headers['cache-status']).toBe('matlib; hit; ttl=-1; detail=updating');
  await listRequests(2);
  await eventually(async () => expect((await library.catalogues.get('textures')).state).toBe('hit'));
  const { catalogue: after } = await library.catalogues.get('textures');
  expect(after.index).toBe(before.index);
  expect(after.fetchedAt).toBeGreaterThan(before.fetchedAt);
  const { requests } = await fixture.seen();
  expect(requests.findLast(({ kind }) => kind === 'list')?.ifNoneMatch).toMatch(/^W\/"/);
});

test('an asset of an unchanged list is returned once its date of publication has passed', async () => {
  const { assets } = (await (await fixture.library()).catalogues.get('textures')).catalogue;
  const dates = [...assets.values()].map(({ item }) => Date.parse(item.published_at));
  const clock = createTestClock();
  clock.advance(Math.max(...dates) - HOUR - clock.now());
  const dataDir = await fixture.dataDir();
  const library = await fixture.library({ clock, dataDir });
  expect((await search(library)).total).toBe(assets.size - 1);
  clock.advance(2 * DAY);
  // After a restart, the list comes from the data folder, and the library confirms it.
  const restarted = await fixture.library({ clock, dataDir });
  expect((await search(restarted)).total).toBe(assets.size);
  expect((await search(library)).total).toBe(assets.size);
  const { requests } = await fixture.seen();
  const lists = requests.filter(({ kind }) => kind === 'list');
  expect(lists.map(({ ifNoneMatch }) => ifNoneMatch !== null)).toEqual([false, false, true, true]);
});

test('a changed list is indexed and replaces the old one', async () => {
  const library = await fixture.library();
  const first = await search(library);
  await fixture.behave({ revision: 1_000_000 });
  fixture.clock.advance(HOUR + 1);
  const old = await search(library);
  expect(old.results).toEqual(first.results);
  await eventually(async () => {
    const fresh = await search(library);
    expect(fresh.results[0]?.download_count).toBe((first.results[0]?.download_count ?? 0) + 1_000_000);
  });
});

test('a list that lost half of its assets replaces the old one only if it is still that short after a month', async () => {
  const library = await fixture.library();
  const { total } = await search(library);
  await fixture.behave({ mode: 'shrunk', on: ['list'] });
  fixture.clock.advance(HOUR + 1);
  await search(library);
  await eventually(async () => expect(await search(library)).toMatchObject({ total, stale: true }));
  expect(
    fixture.warnings.map((line) => (line as [{ error?: Error }])[0].error?.message ?? '').join(),
  ).toContain('shrank');
  fixture.clock.advance(32 * DAY);
  const later = await search(library);
  expect(later.total).toBeLessThan(total * 0.6);
  expect(later.stale).toBeUndefined();
});

test('without a snapshot, a search while the library is down fails with our own error message', async () => {
  await fixture.behave({ mode: 'down' });
  const library = await fixture.library();
  const refused = search(library);
  await expect(refused).rejects.toMatchObject({
    code: 'unavailable',
    status: 503,
    message: 'The material library is currently unavailable.',
    extra: { retryAfter: expect.any(Number) },
  });
  // All three lists are unavailable, so it is unknown whether the asset exists. A 404 would say that it does not.
  await expect(getInfo(library, 'oak_wood_floor')).rejects.toMatchObject({ status: 503 });
});

test('dropped entries of a list are logged by reason, and not again while they stay the same', async () => {
  const library = await fixture.library();
  await search(library);
  const lines = () => fixture.warnings.filter((line) => JSON.stringify(line).includes('"dropped"'));
  expect(lines()).toEqual([
    [
      {
        type: 'textures',
        dropped: { 'name, date or type': expect.any(Number), 'thumbnail URL': expect.any(Number) },
      },
      expect.any(String),
    ],
  ]);
  await fixture.behave({ revision: 1 });
  fixture.clock.advance(HOUR + 1);
  await search(library);
  await eventually(async () => expect((await search(library)).headers['cache-status']).toContain('hit'));
  expect(lines()).toHaveLength(1);
});

test('a list without a usable entry is logged with the reason', async () => {
  const library = await fixture.library({ assetHosts: 'cdn.example.test' });
  await expect(search(library)).rejects.toMatchObject({ status: 503 });
  const messages = fixture.warnings.map((line) => (line as [{ error?: Error }])[0].error?.message ?? '');
  expect(messages.join()).toMatch(/without one usable asset: dropped .*"thumbnail URL":2\d\d/);
});

test('a search counts the matches of the other types, and works when their lists are unavailable', async () => {
  const library = await fixture.library();
  const sunset = await search(library, { q: 'sunset' });
  expect(sunset).toMatchObject({ total: 0, totals: { textures: 0, models: 0, hdris: expect.any(Number) } });
  const hdris = await search(library, { q: 'sunset', type: 'hdris', limit: '1' });
  expect(sunset.totals?.hdris).toBe(hdris.total);
  expect(hdris.total).toBeGreaterThan(5);
  expect((await search(library)).totals).toBeUndefined();
  // The totals ignore the category filter.
  const lamp = await search(library, { q: 'lamp', type: 'models', categories: 'lighting' });
  expect((await search(library, { q: 'lamp' })).totals?.models).toBe(lamp.totals?.models);

  await fixture.behave({ mode: 'down', on: ['list'], match: 'assets' });
  const cut = await fixture.library();
  await fixture.behave({ mode: 'ok' });
  await cut.catalogues.get('textures');
  await fixture.behave({ mode: 'down', on: ['list'] });
  expect(await search(cut, { q: 'oak' })).toMatchObject({
    totals: { textures: expect.any(Number), hdris: null, models: null },
  });
});

test('with a snapshot, a search while the library is down returns results marked as stale, and later recovers', async () => {
  const dataDir = await fixture.dataDir();
  const first = await search(await fixture.library({ dataDir }), { q: 'oak' });
  for (const mode of ['down', 'error', 'limit', 'html', 'truncated', 'garbage'] as const) {
    await fixture.behave({ mode });
    fixture.clock.advance(2 * DAY);
    const library = await fixture.library({ dataDir });
    const response = await search(library, { q: 'oak' });
    expect(response, mode).toMatchObject({ total: first.total, stale: true, fetched_at: first.fetched_at });
    expect(response.headers['cache-control']).toBe('private, max-age=10');
    expect(response.results).toEqual(first.results);
  }
  await fixture.behave({ mode: 'down' });
  const library = await fixture.library({ dataDir });
  await search(library);
  await fixture.behave({ mode: 'ok' });
  fixture.clock.advance(MINUTE);
  const recovered = await search(library, { q: 'oak' });
  expect(recovered.stale).toBeUndefined();
  expect(recovered.fetched_at > first.fetched_at).toBe(true);
  expect(recovered.headers['cache-status']).toBe('matlib; fwd=miss; stored');
});

test('a fresh snapshot replaces the call; a broken snapshot, or one of another library, is ignored', async () => {
  const dataDir = await fixture.dataDir();
  await search(await fixture.library({ dataDir }));
  const before = (await fixture.seen()).counts.list;
  await search(await fixture.library({ dataDir }));
  expect((await fixture.seen()).counts.list).toBe(before);

  const file = join(dataDir, 'matlib', 'textures.json');
  const good = await readFile(file, 'utf8');
  const deep = `"attributes":{"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}},"rest":{`;
  const bad = [
    good.slice(0, 5_000),
    good.replace(fixture.fake.url, 'http://127.0.0.1:1'),
    good.replace('"attributes":{', deep),
    '{}',
    '',
  ];
  for (const [i, text] of bad.entries()) {
    await writeFile(file, text);
    await search(await fixture.library({ dataDir }));
    expect((await fixture.seen()).counts.list).toBe(before + i + 1);
  }
});

test('a snapshot for other allowed hosts may lack assets, so an unchanged list is loaded again in full', async () => {
  const dataDir = await fixture.dataDir();
  const { total } = await search(await fixture.library({ dataDir }));
  const assetHosts = `${fixture.fake.host},pictures.example.test`;
  expect((await search(await fixture.library({ dataDir, assetHosts }))).total).toBe(total);
  await listRequests(2);
  const lists = (await fixture.seen()).requests.filter(({ kind }) => kind === 'list');
  expect(lists.map(({ ifNoneMatch }) => ifNoneMatch)).toEqual([null, null]);
});

test('without a writable data folder, there is no snapshot, but requests still get responses', async () => {
  const folder = await fixture.dataDir();
  await writeFile(join(folder, 'matlib'), 'in the way');
  expect((await search(await fixture.library({ dataDir: folder }))).total).toBeGreaterThan(200);
  expect(JSON.stringify(fixture.warnings)).toContain('failed to save');
});

test('cached values cannot be changed', async () => {
  const library = await fixture.library();
  const first = await search(library, { q: 'marble' });
  const [item] = first.results;
  expect(() => item?.tags.push('leaked')).toThrow(TypeError);
  expect(() => Object.assign(item ?? {}, { similarity: 1 })).toThrow(TypeError);
  expect(() => Object.assign(first.source, { credit: '' })).toThrow(TypeError);
  expect((await search(library, { q: 'marble', limit: '23' })).results[0]).toEqual(item);
});
