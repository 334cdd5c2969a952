// @module-tag extended
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserPids } from '@/tests/app/support/browser-process';
import { openDatabase } from '@/tests/app/support/database';
import { anExport, filesOf, manyPages, readExport, waitForExport, workOf } from '@/tests/app/support/exports';
import { addImage } from '@/tests/app/support/pictures';
import { poll } from '@/tests/app/support/poll';
import { readPdf } from '@/tests/app/support/read-pdf';
import { makeTeam, type Team } from '@/tests/app/support/team';

let team: Team;
let sql: Sql;
beforeAll(async () => {
  team = await makeTeam();
  sql = openDatabase();
});
afterAll(() => sql.end());

const api: Team['owner']['api'] = (path, options) => team.editor.api(path, options);

test('an export is printed by another browser when its browser is killed while printing', async () => {
  const image = await addImage(api, team.projectId);
  const [first, ...rest] = manyPages();
  const element = { id: 'i', type: 'image' as const, x: 0, y: 0, w: 5, h: 5, imageId: image.id };
  const pages = [{ id: 'first', ...first, elements: [element] }, ...rest];
  const jobId = await anExport(api, { projectId: team.projectId, pages });
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
