import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { retention, SWEEP_ROWS } from '@/lib/queue/retention';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { claimFor, makeSpec } from './make-spec';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());

const forget = (limit = SWEEP_ROWS) => db.sql`
  select public.forget_old_rows(${retention.idempotencyKeysS}, ${retention.rateBucketsS}, ${retention.workS},
    ${retention.exportsS}, ${limit})`;

/** A moment this many seconds ago. */
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);

async function anExport(endedAt: Date | null, path: string): Promise<string> {
  const [project] = await db.sql`insert into public.projects (name) values ('P') returning id`;
  const [job] = await db.sql`
    insert into public.export_jobs (project_id, snapshot, input_sha256, status, page_count, result_path, finished_at)
    values (${project?.id}, '{}', ${'0'.repeat(64)}, ${endedAt ? 'completed' : 'processing'}, 1, ${path}, ${endedAt})
    returning id`;
  return job?.id;
}

test('what is only kept for a while is forgotten after it, and nothing before', async () => {
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

test('the file of a forgotten export goes with the orphans', async () => {
  await anExport(ago(retention.exportsS + 60), 'exports/gone.pdf');
  await db.sql`insert into storage.objects (bucket_id, name, created_at)
    values ('exports', 'gone.pdf', ${ago(retention.exportsS + 60)})`;
  const orphans = () => db.sql<{ name: string }[]>`
    select name from public.orphaned_objects(${retention.orphansS}, ${retention.outputsS}, 100)`;
  expect((await orphans()).map(({ name }) => name)).not.toContain('gone.pdf');
  await forget();
  expect((await orphans()).map(({ name }) => name)).toContain('gone.pdf');
});

test('one sweep forgets so many rows and no more, the oldest first', async () => {
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
