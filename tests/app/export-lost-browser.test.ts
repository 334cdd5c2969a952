import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserPids } from '@/tests/app/support/browser-process';
import { type Crew, makeCrew } from '@/tests/app/support/crew';
import { openDatabase } from '@/tests/app/support/database';
import { anExport, filesOf, manyPages, readExport, waitForExport, workOf } from '@/tests/app/support/exports';
import { addImage } from '@/tests/app/support/pictures';
import { poll } from '@/tests/app/support/poll';
import { readPdf } from '@/tests/app/support/read-pdf';

let crew: Crew;
let sql: Sql;
beforeAll(async () => {
  crew = await makeCrew();
  sql = openDatabase();
});
afterAll(() => sql.end());

const api: Crew['owner']['api'] = (path, options) => crew.editor.api(path, options);

test('an export whose browser is killed while printing is printed by another browser', async () => {
  const image = await addImage(api, crew.projectId);
  const [first, ...rest] = manyPages();
  const element = { id: 'i', type: 'image' as const, x: 0, y: 0, w: 5, h: 5, imageId: image.id };
  const pages = [{ id: 'first', ...first, elements: [element] }, ...rest];
  const jobId = await anExport(api, { projectId: crew.projectId, pages });
  const pids = await poll('the export is being printed', async () => {
    const found = await browserPids();
    return (await readExport(api, jobId)).pagesDone > 0 && found.length > 0 && found;
  });
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  const { job, pdf } = await waitForExport(api, jobId);
  expect(job).toMatchObject({ status: 'completed', pageCount: 150 });
  expect((await readPdf(pdf)).pages).toHaveLength(150);
  expect(await workOf(sql, jobId)).toMatchObject({ state: 'done', attempts: 2 });
  expect(await filesOf(sql, jobId)).toHaveLength(1);
  for (const pid of pids) expect(await browserPids()).not.toContain(pid);
});
