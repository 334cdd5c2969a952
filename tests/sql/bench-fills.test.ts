import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillJobs } from '@/tests/bench/fill-jobs';
import { fillSpecs } from '@/tests/bench/fill-specs';
import { createTestDatabase, type TestDatabase } from '../setup/database';

// The benchmarks that need these rows take minutes and do not run with the tests.
let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());

test('the image jobs of the benchmarks fit the schema, and the API can list them', async () => {
  const [project] = await db.sql<
    { id: string }[]
  >`insert into public.projects (name) values ('P') returning id`;
  const id = project?.id ?? '';
  await fillJobs(db.sql, id, 6);
  const jobs = await db.sql`
    select status, cover is not null as "hasCover" from public.image_job_rows where project_id = ${id}`;
  expect(jobs).toHaveLength(6);
  expect(jobs.filter(({ hasCover }) => hasCover)).toEqual(
    jobs.filter(({ status }) => status === 'succeeded'),
  );
});

test('the specs of the benchmarks fit the schema', async () => {
  await fillSpecs(db.sql, 60);
  const [counted] = await db.sql`
    select (select count(*)::int from public.spec_uploads) as specs,
           (select count(*)::int from private.spec_words) as searchable`;
  expect(counted).toEqual({ specs: 60, searchable: 60 });
});
