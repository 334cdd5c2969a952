import { randomBytes, randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';

type SpecOptions = {
  sha256?: string;
  keep?: boolean;
  property?: string | null;
  fileName?: string;
  replaces?: string;
};

/** Creates a spec upload with the database function that the upload route calls; returns its id. Stores no file. */
export async function makeSpec(sql: Sql, options: SpecOptions = {}): Promise<string> {
  const id = randomUUID();
  const { sha256 = randomBytes(32).toString('hex'), keep = false, property = 'Hotel' } = options;
  const { fileName = 'a.pdf', replaces = null } = options;
  await sql`insert into public.brands (name) values ('Brand') on conflict do nothing`;
  await sql`insert into public.area_types (name) values ('Area') on conflict do nothing`;
  const [row] = await sql`
    select public.create_spec_upload(null, ${id}, (select name from public.brands order by name limit 1),
      (select name from public.area_types order by name limit 1), ${`specs/brand/${id}/a.pdf`}, ${fileName}, 10,
      ${sha256}, ${property}, ${keep}, p_replaces => ${replaces}) as answer`;
  if (row?.answer.outcome !== 'created') throw new Error(`not created: ${JSON.stringify(row)}`);
  return id;
}

/** Returns the state of a spec, the status of its document, and the statuses of its current run's job and work item. */
export async function specState(sql: Sql, id: string) {
  const [row] = await sql<
    {
      status: string;
      document: string;
      job: string;
      run: number;
      error_code: string | null;
      error: string | null;
      sections_count: number | null;
      status_seq: number;
      work: string;
      attempts: number;
    }[]
  >`
    select s.processing_status as status, d.processing_status as document, j.status as job, s.run, s.error_code, s.error,
           s.sections_count, s.status_seq::int, w.state as work, w.attempts
      from public.spec_uploads s
      join public.documents d on d.id = s.document_id
      join public.upload_jobs j on j.spec_upload_id = s.id and j.run = s.run
      join private.work_items w on w.subject_id = s.id and w.run = s.run
     where s.id = ${id}`;
  if (!row) throw new Error('no such spec');
  return row;
}

/** Claims all due work items that send triggers for specs, and returns the item of one spec. */
export async function claimFor(sql: Sql, id: string) {
  const items = await sql<{ id: string; subject_id: string; attempts: number; lease_token: string }[]>`
    select * from public.work_claim(array['spec_dispatch'], 'test', 1000, 30)`;
  const item = items.find((row) => row.subject_id === id);
  if (!item) throw new Error('not claimed');
  return item;
}
