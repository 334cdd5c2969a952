// @module-tag extended
import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Atelier, startAtelier } from '@/lib/launcher/atelier';
import { apiAt, expectProblem } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import { anExport, exported, onePage, waitForExport } from '@/tests/app/support/exports';
import { newAdmin, newUser } from '@/tests/app/support/people';
import { poll } from '@/tests/app/support/poll';
import { sendUpload } from '@/tests/app/support/specs';
import { makeProject } from '@/tests/app/support/team';
import { makePdf } from '@/tests/pdf/support/make-pdf';
import { freePorts } from '@/tests/setup/free-ports';
import { type DataDir, makeDataDir } from '@/tests/setup/temporary-dir';

const MB = 1024 * 1024;
const FULL = 'The disk of the server is full. Try again after an administrator has freed some space.';

const mount = (path: string, options: string) =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path], { stdio: 'ignore' }).status === 0;

let folder: DataDir;
let isMounted = false;
let atelier: Atelier;
let sql: Sql;

beforeAll(async () => {
  folder = await makeDataDir();
  // The data folder is a disk that has space for the database, but not for the printing browser.
  isMounted = mount(folder.path, 'size=200m');
  if (!isMounted) return;
  await chmod(folder.path, 0o755);
  atelier = await startAtelier({
    ...(await freePorts()),
    dataDir: folder.path,
    distDir: process.env.ATELIER_DIST_DIR || '.next',
    env: { ATELIER_LOCAL_FSYNC: 'off', LOG_LEVEL: 'silent' },
  });
  sql = openDatabase(atelier.databaseUrl);
});

afterAll(async () => {
  await sql?.end();
  await atelier?.stop();
  if (isMounted) execFileSync('umount', [folder.path]);
  await folder?.remove();
});

const ready = () => apiAt(atelier.url)('/api/health/ready');

describe('a data folder on a small disk', () => {
  test('until the printing browser is unpacked, readiness demands its space and an export says what it lacks', async (context) => {
    context.skip(!isMounted, 'only root can mount a small disk');
    expect(expectProblem(await ready(), 'unavailable')).toMatchObject({
      checks: { database: 'ok', storage: 'ok', browser: 'ok', disk: 'failed' },
    });
    const api = apiAt(atelier.url, (await newUser(atelier.env, 'owner')).headers);
    const projectId = await makeProject(api);
    const id = await anExport(api, { projectId, pages: [onePage()] });
    await sql`update private.work_items set max_attempts = 1 where subject_id = ${id}`;
    expect((await waitForExport(api, id)).job).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^There is not enough disk space on the server for the export\./),
    });

    execFileSync('mount', ['-o', 'remount,size=700m', folder.path]);
    await poll('the product is ready', async () => (await ready()).status === 200);
    await exported(api, { projectId, pages: [onePage()] });
    // The browser is unpacked now, so its space is not demanded any more.
    const { bavail, bsize } = await statfs(folder.path);
    await writeFile(join(folder.path, 'filler'), Buffer.alloc(bavail * bsize - 100 * MB));
    await poll('the readiness is checked again', async () => (await ready()).status === 200);
    await rm(join(folder.path, 'filler'));
  });

  test('an upload that does not fit says that the disk is full', async (context) => {
    context.skip(!isMounted, 'only root can mount a small disk');
    const api = apiAt(atelier.url, (await newAdmin(atelier.env)).headers);
    const filler = join(folder.path, 'filler');
    const { bavail, bsize } = await statfs(folder.path);
    await writeFile(filler, Buffer.alloc(bavail * bsize - 4 * MB));
    const file = await makePdf({ sections: 1, bytes: 8 * MB });
    // File storage can close the connection before its response is read. Its reason is then unknown.
    const refusals = [];
    const waits: (string | null)[] = [];
    for (let tries = 0; tries < 10 && refusals.at(-1)?.detail !== FULL; tries += 1) {
      const refused = await sendUpload(api, { propertyName: '[silent]', file });
      refusals.push(expectProblem(refused, 'unavailable'));
      waits.push(refused.headers.get('retry-after'));
    }
    expect(refusals.at(-1)).toMatchObject({ detail: FULL });
    expect(waits.at(-1)).toBe('30');
    await rm(filler);
    expect((await sendUpload(api, { propertyName: '[silent]', file })).status).toBe(202);
  });
});
