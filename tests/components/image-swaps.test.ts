import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { additionOf, addToDocument } from '@/components/editor/handover/add-to-document';
import { contentWithSchedule } from '@/components/editor/handover/page-content';
import { readSchedule } from '@/components/editor/pickers/material-pick';
import { commonStatus, isOpenRow, rowsOf, targetOf } from '@/components/studio/job-rows';
import { materialOfJob, swapContent } from '@/components/studio/swap/swap-content';
import { shortPrompt } from '@/components/studio/swap/swap-title';
import { projectDocument } from '@/lib/document/schema';
import { type SwapWithJobs, swapPrompt } from '@/lib/image-gen/swaps/schema';
import { jobOf, P, variantOf } from './support/image-gen-records';

const S = 'swap-1';
const ofSwap = (id: string, status: Parameters<typeof jobOf>[1] = 'succeeded') =>
  jobOf(id, status, 1, { swapId: S, swapWhere: 'the floor' });

test('the prompt of a swap is shortened to its material and place, and any other prompt stays', () => {
  expect(shortPrompt(swapPrompt('the floor', { id: 'oak', name: 'Smoked oak' }))).toBe(
    'Smoked oak · the floor',
  );
  expect(shortPrompt('Replace the lamp with a candle.')).toBe('Replace the lamp with a candle.');
});

describe('the list of jobs', () => {
  test('the jobs of a swap are one row, at the position of the first job', () => {
    const jobs = [jobOf('a', 'queued', 1), ofSwap('s2'), jobOf('b', 'failed', 1), ofSwap('s1')];
    const rows = rowsOf(jobs);
    expect(rows.map(targetOf)).toEqual([
      { job: 'a', swap: null },
      { job: null, swap: S },
      { job: 'b', swap: null },
    ]);
    expect(rows[1]).toMatchObject({ where: 'the floor', jobs: [{ jobId: 's2' }, { jobId: 's1' }] });
    const open = (url: { job: string | null; swap: string | null }) => rows.map((row) => isOpenRow(row, url));
    expect(open({ job: null, swap: S })).toEqual([false, true, false]);
    expect(open({ job: 's1', swap: null })).toEqual([false, true, false]);
    expect(open({ job: 'b', swap: null })).toEqual([false, false, true]);
    expect(open({ job: null, swap: null })).toEqual([false, false, false]);
  });

  test('a swap has the status that needs the most attention', () => {
    expect(commonStatus([ofSwap('1'), ofSwap('2', 'queued'), ofSwap('3', 'running')])).toBe('running');
    expect(commonStatus([ofSwap('1'), ofSwap('2', 'queued'), ofSwap('3', 'failed')])).toBe('queued');
    expect(commonStatus([ofSwap('1'), ofSwap('2', 'failed')])).toBe('failed');
    expect(commonStatus([ofSwap('1'), ofSwap('2')])).toBe('succeeded');
  });
});

const oak = {
  id: 'oak_01',
  type: 'textures',
  name: 'Oak',
  tags: [],
  categories: [],
  thumbnail_url: 'https://x.test/oak.png',
  download_count: 1,
  downloads_per_day: 1,
  published_at: '2026-01-01T00:00:00Z',
  description: '',
  authors: [
    { name: 'A. Maker', credit: 'Everything' },
    { name: 'B. Maker', credit: 'Scans' },
  ],
  max_resolution: null,
  dimensions_mm: [2000, 1500],
  color: null,
  collections: [],
  category_path: null,
  attributes: {},
  notes: null,
  available: { page_url: 'https://library.test/oak_01', license: 'CC0' },
  source: { name: 'Library', url: null, license: 'CC0', credit: 'Library' },
  fetched_at: '2026-01-01T00:00:00Z',
};
const bare = { ...oak, id: 'cork_01', authors: [], dimensions_mm: null };
const library = setupServer(
  http.get('*/api/matlib/info/oak_01', () => HttpResponse.json(oak)),
  http.get('*/api/matlib/info/cork_01', () =>
    HttpResponse.json({ ...bare, name: 'Cork', available: { page_url: null, license: 'CC BY' } }),
  ),
  http.get('*/api/matlib/info/gone_01', () => HttpResponse.json({}, { status: 404 })),
);
beforeAll(() => {
  vi.stubGlobal('location', new URL('http://atelier.test/'));
  library.listen({ onUnhandledFrame: 'error' });
});
afterEach(() => library.resetHandlers());
afterAll(() => {
  library.close();
  vi.unstubAllGlobals();
});

test('a schedule has the facts from the library, and unknown facts are empty', async () => {
  const named = (id: string) => ({ id, name: `Name of ${id}` });
  const { rows, missing } = await readSchedule(['oak_01', 'cork_01', 'gone_01', 'not an id!'].map(named));
  expect(rows).toEqual([
    {
      name: 'Oak',
      maker: 'A. Maker, B. Maker',
      license: 'CC0',
      size: '200 × 150 cm',
      reference: 'https://library.test/oak_01',
    },
    { name: 'Cork', maker: '', license: 'CC BY', size: '', reference: 'cork_01' },
    { name: 'Name of gone_01', maker: '', license: '', size: '', reference: 'gone_01' },
    { name: 'Name of not an id!', maker: '', license: '', size: '', reference: 'not an id!' },
  ]);
  expect(missing).toBe(2);
});

test.each([401, 429, 502])('a schedule is not made if the library fails with status %i', async (status) => {
  library.use(http.get('*/api/matlib/info/oak_01', () => HttpResponse.json({}, { status })));
  await expect(readSchedule([{ id: 'oak_01', name: 'Oak' }])).rejects.toMatchObject({ status });
});

test('the page of an image has the prompt as its caption, and a schedule with the pictures from the library', async () => {
  const id = crypto.randomUUID();
  const taken: unknown[] = [];
  const picturesAt = `*/api/projects/${P}/images/material`;
  library.use(
    http.post(picturesAt, async ({ request }) => {
      const body = await request.json();
      taken.push(body);
      if (JSON.stringify(body).includes('cork')) return HttpResponse.json({}, { status: 404 });
      const createdAt = '2026-01-01T00:00:00Z';
      return HttpResponse.json({
        id,
        path: 'a.png',
        url: null,
        width: 9,
        height: 9,
        fileName: 'a',
        createdAt,
      });
    }),
  );
  const [oak, cork] = ['oak_01', 'cork_01'].map((name) => ({ id: name, name }));
  const image = { imageId: null, path: 'bath.png', width: 3, height: 2, alt: 'A bath' };
  const what = {
    title: 'A bath',
    text: 'A bath of oak\nand cork',
    images: [image],
    materials: [oak, cork, { id: '', name: 'Felt' }].filter((material) => material !== undefined),
  };
  const { signal } = new AbortController();
  const { content, note } = await contentWithSchedule(P, what, signal);
  expect(content).toMatchObject({
    images: [{ path: 'bath.png', caption: 'A bath of oak and cork' }],
    materials: [],
    schedule: [{ name: 'Oak', imageId: id }, { name: 'Cork' }, { name: 'Felt' }],
  });
  expect(content.schedule?.map((row) => 'imageId' in row)).toEqual([true, false, false]);
  expect(note).toBe('1 material is not in the library. The schedule shows only the names.');
  expect(taken).toHaveLength(2);
  library.use(http.post(picturesAt, () => HttpResponse.json({}, { status: 403 })));
  await expect(contentWithSchedule(P, what, signal)).rejects.toMatchObject({ status: 403 });
});

describe('a swap in a document', () => {
  const jobWith = (id: string, name: string | undefined, path: string | null) => ({
    ...ofSwap(id),
    materialIds: [id],
    materialPayload: [{ id, name }],
    cover: path === null ? null : { ...variantOf(path, `https://x.test/${path}`), width: 3, height: 2 },
  });
  const swap: SwapWithJobs = {
    swapId: S,
    projectId: P,
    where: 'the floor',
    seed: 7,
    source: { ...variantOf('source.png', 'https://x.test/source.png'), width: 3, height: 2 },
    sourceJobId: 'job',
    createdBy: null,
    createdAt: '2026-01-01T00:00:00Z',
    jobs: [
      jobWith('oak', 'Oak', 'oak.png'),
      jobWith('cork', undefined, null),
      jobWith('elm', 'Elm', 'elm.png'),
    ],
  };
  const schedule = ['Oak', 'Elm'].map((name) => ({
    name,
    maker: 'M',
    license: 'CC0',
    size: '',
    reference: `https://library.test/${name}`,
  }));

  test('a material without a name is shown with its id', () => {
    expect(swap.jobs.map((job) => materialOfJob(job).name)).toEqual(['Oak', 'cork', 'Elm']);
  });

  test('a new page has the original first, each finished image with its material, and the schedule', () => {
    const document = projectDocument.parse({ version: 1, format: 'A4', orientation: 'portrait', pages: [] });
    const addition = additionOf(swapContent(swap, schedule));
    const added = addToDocument(document, addition, { kind: 'new' });
    if ('refused' in added) throw new Error(added.refused);
    const [page] = added.document.pages;
    expect(page?.title).toBe('Materials for the floor');
    const images = page?.elements.flatMap((each) => (each.type === 'image' ? [[each.path, each.alt]] : []));
    expect(images).toEqual([
      ['source.png', 'Materials for the floor: the original image'],
      ['oak.png', 'Materials for the floor: Oak'],
      ['elm.png', 'Materials for the floor: Elm'],
    ]);
    const texts = page?.elements.flatMap((each) =>
      each.type === 'text' ? each.blocks.flatMap((block) => ('runs' in block ? block.runs : [])) : [],
    );
    expect(texts?.map(({ text }) => text)).toEqual(['Materials for the floor', 'Original', 'Oak', 'Elm']);
    const [table] = page?.elements.flatMap((each) => (each.type === 'table' ? [each] : [])) ?? [];
    expect(table?.columns.map(({ label }) => label)).toEqual([
      'Material',
      'Maker',
      'License',
      'Size',
      'Reference',
    ]);
    expect(table?.rows).toEqual(schedule.map((row) => Object.values(row)));
    expect(addToDocument(added.document, addition, { kind: 'new' })).toMatchObject({
      document: added.document,
    });
  });

  test('a swap whose original was deleted has only the images of its materials', () => {
    const { images } = swapContent({ ...swap, source: null }, schedule);
    expect(images.map(({ caption }) => caption)).toEqual(['Oak', 'Elm']);
  });
});
