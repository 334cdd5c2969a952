import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { retention, SWEEP_CHECKS, SWEEP_ROWS } from '@/lib/queue/retention';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { claimFor, makeSpec } from './support/make-spec';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());

const forget = (limit = SWEEP_ROWS) => db.sql`
  select public.forget_old_rows(${retention.idempotencyKeysS}, ${retention.rateBucketsS}, ${retention.workS},
    ${retention.exportsS}, ${limit})`;

async function sweep(checks = SWEEP_CHECKS, limit = 1000): Promise<{ paths: string[]; ended: boolean }> {
  const [row] = await db.sql`
    select public.sweep_orphans(${retention.orphansS}, ${retention.outputsS}, ${checks}, ${limit}) as answer`;
  return row?.answer;
}

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);

async function anExport(endedAt: Date | null, path: string): Promise<string> {
  const [project] = await db.sql`insert into public.projects (name) values ('P') returning id`;
  const [job] = await db.sql`
    insert into public.export_jobs (project_id, snapshot, input_sha256, status, page_count, result_path, finished_at)
    values (${project?.id}, '{}', ${'0'.repeat(64)}, ${endedAt ? 'completed' : 'processing'}, 1, ${path}, ${endedAt})
    returning id`;
  return job?.id;
}

test('rows with a retention time are deleted after it, and not before', async () => {
  const user = randomUUID();
  for (const [name, slack] of [
    ['old', 60],
    ['new', -60],
  ] as const) {
    await db.sql`insert into private.idempotency_keys (user_id, scope, key, request_sha256, created_at)
      values (${user}, 's', ${name}, 'x', ${ago(retention.idempotencyKeysS + slack)})`;
    await db.sql`insert into private.rate_buckets (key, tat) values (${name}, ${ago(retention.rateBucketsS + slack)})`;
    await db.sql`insert into private.callback_events (source, subject_id, run, status, outcome, received_at)
      values ('spec', ${user}, 1, ${name}, 'applied', ${ago(retention.workS + slack)})`;
  }
  const specs = { old: await makeSpec(db.sql), new: await makeSpec(db.sql), waiting: await makeSpec(db.sql) };
  const ended = retention.workS;
  for (const [id, at] of [
    [specs.old, ago(ended + 60)],
    [specs.new, ago(ended - 60)],
  ] as const) {
    const item = await claimFor(db.sql, id);
    await db.sql`update private.work_items set state = 'done', finished_at = ${at} where id = ${item.id}`;
    await db.sql`update private.work_items set visible_at = now() where state = 'pending'`;
  }
  await db.sql`update private.work_items set created_at = ${ago(10 * ended)} where subject_id = ${specs.waiting}`;
  const exports = {
    old: await anExport(ago(retention.exportsS + 60), 'exports/p/old.pdf'),
    new: await anExport(ago(retention.exportsS - 60), 'exports/p/new.pdf'),
    running: await anExport(null, 'exports/p/running.pdf'),
  };
  await forget();

  const [left] = await db.sql`
    select (select array_agg(key) from private.idempotency_keys) as keys,
           (select array_agg(key) from private.rate_buckets) as buckets,
           (select array_agg(status) from private.callback_events) as events,
           (select array_agg(subject_id order by created_at desc) from private.work_items
             where kind = 'spec_dispatch') as work,
           (select array_agg(id order by finished_at) from public.export_jobs) as exports`;
  expect(left).toEqual({
    keys: ['new'],
    buckets: ['new'],
    events: ['new'],
    work: [specs.new, specs.waiting],
    exports: [exports.new, exports.running],
  });
});

test('the file of a deleted export is swept with the orphans', async () => {
  await anExport(ago(retention.exportsS + 60), 'exports/gone.pdf');
  await db.sql`insert into storage.objects (bucket_id, name, created_at, updated_at)
    values ('exports', 'gone.pdf', ${ago(retention.exportsS + 60)}, ${ago(retention.exportsS + 60)})`;
  expect((await sweep()).paths).not.toContain('exports/gone.pdf');
  await forget();
  expect((await sweep()).paths).toContain('exports/gone.pdf');
});

test('a sweep looks at a limited number of files, and continues where the last one stopped', async () => {
  await db.sql`insert into storage.objects (bucket_id, name, created_at, updated_at)
    select 'images', 'projects/p/inputs/' || i, now() - interval '1 day', now() - interval '1 day' from generate_series(1, 50) i`;
  // Each sweep looks at up to seven files and stops after five orphans.
  const found: string[] = [];
  let rounds = 0;
  for (let ended = false; !ended; rounds += 1) {
    const round = await sweep(7, 5);
    expect(round.paths.length).toBeLessThanOrEqual(5);
    found.push(...round.paths);
    ({ ended } = round);
  }
  const all = (await sweep()).paths;
  expect(all.length).toBeGreaterThanOrEqual(50);
  expect(found).toEqual(all);
  expect(rounds).toBeGreaterThanOrEqual(all.length / 5);
  // A file that sorts before the sweep's position is found only in the next pass.
  await sweep(30, 100);
  const id = '00000000-0000-0000-0000-000000000001';
  await db.sql`insert into storage.objects (id, bucket_id, name, created_at, updated_at)
    values (${id}, 'specs', 'a/b/c.pdf', now() - interval '1 day', now() - interval '1 day')`;
  const rest = await sweep();
  expect(rest.ended).toBe(true);
  expect(rest.paths).not.toContain('specs/a/b/c.pdf');
  expect((await sweep()).paths[0]).toBe('specs/a/b/c.pdf');
});

test('a sweep deletes a limited number of rows, the oldest first', async () => {
  await db.sql`insert into private.rate_buckets (key, tat)
    select 'bulk' || i, now() - interval '1 day' - make_interval(secs => i) from generate_series(1, 30) i`;
  const left = async () => {
    const rows = await db.sql`select key from private.rate_buckets where key like 'bulk%' order by tat desc`;
    return rows.map((row) => row.key);
  };
  const forgotten = async () => (await forget(20))[0]?.forget_old_rows;
  expect(await forgotten()).toBe(20);
  expect(await left()).toEqual(Array.from({ length: 10 }, (_, i) => `bulk${i + 1}`));
  expect(await forgotten()).toBe(10);
  expect(await left()).toEqual([]);
});
