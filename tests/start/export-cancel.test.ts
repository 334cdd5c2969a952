// @module-tag extended
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { PageInput } from '@/lib/document/page-model';
import { type Atelier, startAtelier } from '@/lib/launcher/atelier';
import { localSettings } from '@/lib/launcher/settings';
import { type Backend, startBackend } from '@/supabase/local/backend/start';
import { type Api, apiAt } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import {
  anExport,
  cancelExport,
  exported,
  filesOf,
  onePage,
  readExport,
  textElement,
  waitForExport,
  workOf,
} from '@/tests/app/support/exports';
import { newUser } from '@/tests/app/support/people';
import { addImage } from '@/tests/app/support/pictures';
import { poll } from '@/tests/app/support/poll';
import { makeProject } from '@/tests/app/support/team';
import { freePorts } from '@/tests/setup/free-ports';
import { type DataDir, makeDatabaseDir, makePrintingDataDir } from '@/tests/setup/temporary-dir';
import { type Gate, makeGate } from '@/tests/start/support/gate';
import { browsersOf, pidsOf, profileOwners } from '@/tests/start/support/printing-browsers';

// As with hosted Supabase, the product starts only the app. This file starts the backend, and a gate between the app
// and the backend. The gate holds requests, so fetching images and storing the PDF take as long as a test needs.
let folders: DataDir[];
let backend: Backend;
let gate: Gate;
let atelier: Atelier;
let sql: Sql;
let api: Api;
let projectId: string;
let dataDir: string;
/** The number of open pages when no export runs. An idle browser keeps one page ready for the next export. */
let idlePages: number;
/** The pids of the product's processes, as noted before each cancellation. */
const pids = new Set<number>();

beforeAll(async () => {
  folders = [await makeDatabaseDir(), await makePrintingDataDir()];
  const [behind = '', before = ''] = folders.map(({ path }) => path);
  dataDir = before;
  const ports = await freePorts();
  const settings = localSettings({ chosen: {}, saved: {}, dataDir, ...ports });
  backend = await startBackend({
    dataDir: behind,
    port: 0,
    postgresPort: 0,
    publishableKey: settings.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY ?? '',
    secretKey: settings.SUPABASE_SECRET_KEY ?? '',
    migrationsDir: join(import.meta.dirname, '../../supabase/migrations'),
    durable: false,
  });
  gate = await makeGate(backend.url);
  const distDir = process.env.ATELIER_DIST_DIR || '.next';
  const env = { ...settings, NEXT_PUBLIC_SUPABASE_URL: gate.url, LOG_LEVEL: 'fatal' };
  atelier = await startAtelier({ ...ports, dataDir, distDir, env });
  expect(atelier.local).toBe(false);
  sql = openDatabase(backend.databaseUrl);
  api = apiAt(atelier.url, (await newUser(env, 'owner')).headers);
  projectId = await makeProject(api);
  await exported(api, { projectId, pages: [onePage()] });
  idlePages = await steadyPages();
});

afterEach(() => gate.release());

afterAll(async () => {
  await sql?.end();
  await atelier?.stop();
  await gate?.end();
  await backend?.stop();
  const left = pidsOf(dataDir);
  for (const folder of folders) await folder.remove();
  expect(left).toEqual([]);
  expect(await profileOwners(pids)).toEqual([]);
});

const openPages = () => browsersOf(dataDir, 'renderer').length;

/** Returns the number of open pages once it no longer changes. */
async function steadyPages(): Promise<number> {
  const seen: number[] = [];
  await poll('the number of pages is steady', async () => {
    seen.push(openPages());
    return seen.length > 20 && new Set(seen.slice(-20)).size === 1;
  });
  return seen.at(-1) ?? 0;
}

const isDownload = (method: string, path: string) =>
  method === 'GET' && path.startsWith('/storage/v1/object/sign/images/');
const isStoring = (_: string, path: string) => path.startsWith('/storage/v1/object/exports/');

/** Returns a page with a newly added image that fills the sheet. */
async function imagePage(width: number, height: number): Promise<PageInput> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const picture = sharp({ create: { width, height, channels: 3, background: '#888', noise } });
  const { id } = await addImage(api, projectId, await picture.jpeg({ quality: 85 }).toBuffer());
  const element = { id: 'i', type: 'image', x: 0, y: 0, w: 210, h: 297, imageId: id } as const;
  return onePage('', { elements: [element] });
}

/** Returns the pages of a document that takes a long time to print. */
function fullPages(): PageInput[] {
  const elements = Array.from({ length: 150 }, (_, n) =>
    textElement(`t${n}`, 'Words that are set, line by line. '.repeat(4), {
      x: (n % 10) * 21,
      y: Math.floor(n / 10) * 19,
      w: 20,
      h: 18,
      fontSize: 5,
    }),
  );
  return Array.from({ length: 60 }, () => onePage('', { elements }));
}

async function cancel(id: string): Promise<void> {
  for (const pid of pidsOf(dataDir)) pids.add(pid);
  const response = await cancelExport(api, id);
  expect(response.body).toMatchObject({ jobId: id, status: 'canceled', downloadUrl: null });
}

/** Expects that a canceled export leaves nothing behind once its process has noticed the cancellation. */
async function expectNothingLeft(id: string): Promise<void> {
  await poll('the folder of the export is gone', async () => {
    const names = await readdir(join(dataDir, 'images'));
    return !names.some((name) => name.startsWith('export-'));
  });
  await poll('the file of the export is gone', async () => (await filesOf(sql, id)).length === 0);
  await poll('the pages of the export are closed', async () => openPages() === idlePages);
  const browsers = browsersOf(dataDir);
  expect(browsers.length).toBeLessThan(2);
  expect(await profileOwners(new Set(pidsOf(dataDir)))).toHaveLength(browsers.length);
  expect(await readExport(api, id)).toMatchObject({ status: 'canceled', pageCount: null, error: null });
  expect((await workOf(sql, id)).state).toBe('canceled');
  const { job } = await exported(api, { projectId, pages: [await imagePage(300, 400), onePage()] });
  expect([job.pageCount, job.warnings.map(({ code }) => code)]).toEqual([2, ['low_resolution']]);
  expect(await filesOf(sql, id)).toEqual([]);
}

test('an export that is canceled while it waits never starts', async () => {
  const downloads = gate.hold(isDownload);
  const others: string[] = [];
  for (let n = 0; n < 2; n += 1) {
    others.push(await anExport(api, { projectId, pages: [await imagePage(400, 500)] }));
  }
  await poll('both slots are taken', async () => downloads.waiting() === 2);
  const id = await anExport(api, { projectId, pages: [onePage()] });
  await cancel(id);
  gate.release();
  for (const other of others) {
    expect((await waitForExport(api, other)).job).toMatchObject({ status: 'completed', pageCount: 1 });
  }
  expect(await workOf(sql, id)).toMatchObject({ state: 'canceled', attempts: 0 });
  await expectNothingLeft(id);
});

test('an export that is canceled while its images are prepared leaves nothing', async () => {
  const documents: PageInput[][] = [];
  for (let n = 0; n < 2; n += 1) documents.push([await imagePage(1500, 2000), await imagePage(1500, 2000)]);
  const downloads = gate.hold(isDownload);
  const ids = await Promise.all(documents.map((pages) => anExport(api, { projectId, pages })));
  await poll('the images are being fetched', async () => downloads.waiting() === 2);
  downloads.stopHolding();
  for (const id of ids) await cancel(id);
  // Both export slots become free again, although storage never responds.
  for (const id of ids) await expectNothingLeft(id);
});

test('an export that is canceled while it is printed leaves nothing', async () => {
  const id = await anExport(api, { projectId, pages: fullPages() });
  await poll('more than one page prints', async () => openPages() > idlePages, { everyMs: 10 });
  await cancel(id);
  await expectNothingLeft(id);
});

test('an export that is canceled while storage does not read its upload leaves nothing', async () => {
  // Make a file with more bytes than the buffers between the app and storage can hold.
  const pages: PageInput[] = [];
  for (let n = 0; n < 2; n += 1) pages.push(await imagePage(2000, 2800));
  const uploads = gate.hold(isStoring);
  const ids = [
    await anExport(api, { projectId, pages, options: { quality: 'archive' } }),
    await anExport(api, { projectId, pages: [onePage()] }),
  ];
  await poll('both exports are being stored', async () => uploads.waiting() === 2);
  uploads.stopHolding();
  for (const id of ids) await cancel(id);
  for (const id of ids) await expectNothingLeft(id);
});

test('an export that is canceled when all of it has been sent to storage leaves nothing', async () => {
  const uploads = gate.hold(isStoring);
  const id = await anExport(api, { projectId, pages: [onePage()] });
  await poll('the export is being stored', async () => uploads.waiting() === 1);
  await cancel(id);
  gate.release();
  await expectNothingLeft(id);
});
