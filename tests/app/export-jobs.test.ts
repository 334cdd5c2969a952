import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportsResponse } from '@/lib/export/schema';
import { expectProblem } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import {
  anExport,
  cancelExport,
  exported,
  filesOf,
  manyPages,
  onePage,
  readExport,
  sendExport,
  workOf,
} from '@/tests/app/support/exports';
import { poll } from '@/tests/app/support/poll';
import { unique } from '@/tests/app/support/specs';
import { makeProject, makeTeam, type Team } from '@/tests/app/support/team';

let team: Team;
let sql: Sql;
beforeAll(async () => {
  team = await makeTeam();
  sql = openDatabase();
});
afterAll(() => sql.end());

const api: Team['owner']['api'] = (path, options) => team.editor.api(path, options);

describe('an export', () => {
  test('an export prints the pages of its request, and one file serves exports of the same input', async () => {
    const payload = { projectId: team.projectId, pages: [onePage(unique('Once'))] };
    const first = await exported(api, payload);
    const again = await exported(api, payload);
    expect(again.job.jobId).not.toBe(first.job.jobId);
    expect(Buffer.from(again.pdf).equals(Buffer.from(first.pdf))).toBe(true);
    expect([await filesOf(sql, first.job.jobId), await filesOf(sql, again.job.jobId)]).toEqual([
      [expect.any(String)],
      [],
    ]);
    const other = await exported(api, { ...payload, options: { format: 'letter' } });
    expect(await filesOf(sql, other.job.jobId)).toHaveLength(1);
  });

  test('an export sent again with its Idempotency-Key returns the same job', async () => {
    const payload = { projectId: team.projectId, pages: [onePage()] };
    const headers = { 'idempotency-key': unique('key').replace(' ', '-') };
    const [first, second] = [
      await sendExport(api, payload, headers),
      await sendExport(api, payload, headers),
    ];
    expect(second.body).toEqual(first.body);
    const other = { ...payload, pages: [onePage()] };
    expectProblem(await sendExport(api, other, headers), 'idempotency_mismatch');
  });

  test('a canceled export stays canceled and leaves no file', async () => {
    const jobId = await anExport(api, { projectId: team.projectId, pages: manyPages() });
    await poll('the export is under way', async () => (await workOf(sql, jobId)).attempts > 0);
    const response = await cancelExport(api, jobId);
    expect(response.body).toMatchObject({ jobId, status: 'canceled', downloadUrl: null });
    expect((await cancelExport(api, jobId)).status).toBe(200);
    // The next export uses the same browser as the canceled one.
    const next = await exported(api, { projectId: team.projectId, pages: [onePage()] });
    expect(await readExport(api, jobId)).toMatchObject({ status: 'canceled', pageCount: null });
    expect(await filesOf(sql, jobId)).toEqual([]);
    expect(await workOf(sql, jobId)).toMatchObject({ state: 'canceled' });
    expect(expectProblem(await cancelExport(api, next.job.jobId), 'state_conflict').currentStatus).toBe(
      'completed',
    );
  });

  test('exports are listed newest first, page by page', async () => {
    const projectId = await makeProject(team.owner.api);
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1)
      ids.unshift(await anExport(team.owner.api, { projectId, pages: [onePage()] }));
    const list = async (more = '') =>
      exportsResponse.parse(
        (await team.owner.api(`/api/export/jobs?projectId=${projectId}&limit=2${more}`)).body,
      );
    const first = await list();
    const second = await list(`&cursor=${first.nextCursor}`);
    expect([...first.jobs, ...second.jobs].map(({ jobId }) => jobId)).toEqual(ids);
    expect(second.nextCursor).toBeNull();
  });
});
