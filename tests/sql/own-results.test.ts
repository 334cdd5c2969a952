import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { startImageJob } from './support/image-jobs';
import { makeSpec } from './support/make-spec';

let db: TestDatabase;
let project: string;
const seed = Number(process.env.ATELIER_SEED ?? Date.now() % 1e9);

beforeAll(async () => {
  console.log(`seed of the results of runs: ${seed}`);
  db = await createTestDatabase();
  const [row] = await db.sql<{ id: string }[]>`insert into public.projects (name) values ('P') returning id`;
  project = row?.id ?? '';
});
afterAll(() => db?.drop());

/** What a user does, or what happens to the current run. `settle` lets its first seconds pass. */
const acts = ['accept', 'settle', 'timeout', 'cancel', 'retry', 'prompt'] as const;
type Act = (typeof acts)[number];

/** A callback about the run that many runs before the current one. */
type Callback = { ago: number; named: boolean; status: 'succeeded' | 'failed' | 'running'; times: number };
type ImageCallback = Callback & { files: string[]; areUsable: boolean };

const callback = {
  ago: fc.nat({ max: 2 }),
  named: fc.boolean(),
  status: fc.constantFrom('succeeded' as const, 'succeeded' as const, 'failed' as const, 'running' as const),
  times: fc.integer({ min: 1, max: 2 }),
};
const imageCallback: fc.Arbitrary<ImageCallback> = fc.record({
  ...callback,
  files: fc.subarray(['1-1', '1-2', '1-3']),
  areUsable: fc.boolean(),
});
const act = fc.constantFrom(...acts);

/** Gives the trigger of the current run to the service, as a worker does. */
async function accept(kind: 'image_dispatch' | 'spec_dispatch', subject: string): Promise<void> {
  const items = await db.sql`select * from public.work_claim(array[${kind}], 'test', 1000, 30)`;
  const item = items.find(({ subject_id }) => subject_id === subject);
  if (item) {
    await db.sql`
      select public.work_dispatched(${item.id}, ${item.lease_token}, now() + interval '10 minutes')`;
  }
}

describe('image runs', () => {
  type Answer = { outcome: string; run: number };
  const pathOf = (job: string, run: number, file: string) =>
    `images/projects/${project}/jobs/${job}/${run}/${file}`;
  const outputsOf = (paths: string[]) =>
    paths.map((path) => ({
      variant_id: path.slice(-3),
      path,
      thumb_path: null,
      meta: null,
      width: 1,
      height: 1,
    }));

  async function perform(job: string, step: Act): Promise<void> {
    switch (step) {
      case 'accept':
        return accept('image_dispatch', job);
      case 'settle':
        await db.sql`update public.image_jobs set started_at = started_at - interval '20 seconds' where id = ${job}`;
        return;
      case 'timeout':
        await db.sql`update public.image_jobs set deadline_at = now() - interval '1 second'
                      where id = ${job} and status = 'running'`;
        await db.sql`select public.work_reap()`;
        return;
      case 'cancel':
        await db.sql`select public.cancel_image_job(${job})`;
        return;
      case 'retry':
        await db.sql`select public.retry_image_job(${job})`;
        return;
      case 'prompt':
        await db.sql`select public.send_image_message(null, ${job}, 'Warmer')`;
    }
  }

  /** Returns the two calls that the app makes for a callback. The second follows once the files are checked. */
  function callsOf(job: string, about: number, { named, status, files, areUsable }: ImageCallback) {
    const run = named ? about : null;
    const paths = files.map((file) => pathOf(job, about, file));
    const usable = (ofRun: number) =>
      db.sql.json(areUsable && ofRun === about ? (outputsOf(paths) as never) : []);
    const apply = async (outputs: ReturnType<typeof usable> | null, error: string | null, ofRun = run) => {
      const [row] = await db.sql<{ answer: Answer }[]>`
        select public.apply_image_callback(${job}, ${status}, ${ofRun}, ${outputs}, ${error},
          p_paths => ${status === 'failed' ? [] : paths}) as answer`;
      return row?.answer;
    };
    if (status === 'running') {
      return {
        first: async () => {
          const [row] = await db.sql<{ answer: Answer }[]>`
            select public.report_image_progress(${job}, 600, 3600, ${run}, 0.5, p_paths => ${paths}) as answer`;
          return row?.answer;
        },
        second: async (answer: Answer | undefined) => {
          if (answer?.outcome !== 'applied' || files.length === 0) return;
          await db.sql`select public.add_image_outputs(${job}, ${answer.run}, ${usable(answer.run)})`;
        },
      };
    }
    return {
      first: () => apply(null, status === 'failed' ? 'no light' : null),
      second: async (answer: Answer | undefined) => {
        if (answer?.outcome !== 'checkable') return;
        const isBad = files.length > 0 && !areUsable;
        await apply(usable(answer.run), isBad ? 'The file does not exist.' : null, answer.run);
      },
    };
  }

  async function stateOf(job: string) {
    const runs = await db.sql`
      select r.run, r.status, r.error_code, r.error, r.notes, r.finished_at::text,
             coalesce(jsonb_agg(jsonb_build_array(v.variant_id, v.path, v.position) order by v.position)
               filter (where v.path is not null), '[]') as variants
        from public.image_runs r
        left join public.image_variants v on v.job_id = r.job_id and v.run = r.run
       where r.job_id = ${job} group by r.job_id, r.run order by r.run`;
    const [current] = await db.sql`
      select run, status, progress, note, status_seq::int,
             started_at is null or started_at > now() - interval '15 seconds' as is_fresh
        from public.image_jobs where id = ${job}`;
    return {
      run: Number(current?.run),
      isFresh: Boolean(current?.is_fresh),
      status: String(current?.status),
      job: { ...current, is_fresh: undefined },
      runs: runs.map((row) => ({
        run: Number(row.run),
        status: String(row.status),
        variants: row.variants as [string, string, number][],
        rest: [row.error_code, row.error, row.notes, row.finished_at],
      })),
    };
  }
  type State = Awaited<ReturnType<typeof stateOf>>;
  const isOver = (state: State) => !['queued', 'running'].includes(state.status);

  function expectSound(job: string, before: State, after: State): void {
    for (const { run, variants } of after.runs) {
      for (const [, path] of variants) expect(path).toContain(`/jobs/${job}/${run}/`);
      expect(new Set(variants.map(([, path]) => path)).size).toBe(variants.length);
      const paths = new Set(variants.map(([, path]) => path));
      for (const [, path] of before.runs[run - 1]?.variants ?? []) expect(paths).toContain(path);
      if (run < after.run) expect(['queued', 'running']).not.toContain(after.runs[run - 1]?.status);
    }
    expect(after.runs.at(-1)?.status).toBe(after.status);
  }

  /** Sends callbacks at once: the second calls of all of them follow the first calls of all of them. */
  async function send(job: string, callbacks: ImageCallback[]): Promise<void> {
    const { run } = await stateOf(job);
    for (let time = 0; time < Math.max(...callbacks.map(({ times }) => times)); time += 1) {
      const before = await stateOf(job);
      const all = callbacks.map((each) => callsOf(job, Math.max(1, run - each.ago), each));
      const answers = [];
      for (const { first } of all) answers.push(await first());
      for (const [i, { second }] of all.entries()) await second(answers[i]);
      const after = await stateOf(job);
      expectSound(job, before, after);
      // Nothing that is about an earlier run changes the current one, and no run but the current one changes.
      expect(after.runs.slice(0, -1)).toEqual(before.runs.slice(0, -1));
      const isClear = ({ named, files, status }: ImageCallback) =>
        named || (files.length > 0 && status !== 'failed');
      const about = callbacks.filter((each) => !isClear(each) || each.ago === 0 || run === 1);
      if (about.length === 0) expect(after).toEqual(before);
      // A report that can be about an earlier run ends no run in its first seconds.
      const isDoubtful = callbacks.every((each) => !isClear(each)) && run > 1 && before.isFresh;
      if (isDoubtful && !isOver(before)) expect(after.status).toBe(before.status);
      if (time > 0 && callbacks.length === 1) expect(after).toEqual(before);
    }
  }

  const story = fc.array(
    fc.oneof(
      { weight: 3, arbitrary: act },
      { weight: 3, arbitrary: imageCallback.map((one) => [one]) },
      { weight: 1, arbitrary: fc.array(imageCallback, { minLength: 2, maxLength: 3 }) },
    ),
    { minLength: 4, maxLength: 16 },
  );

  test('a run of an image job ends with its own result, whatever callbacks of other runs arrive', async () => {
    await fc.assert(
      fc.asyncProperty(story, async (steps) => {
        const job = await startImageJob(db.sql, project);
        for (const step of steps) {
          const before = await stateOf(job);
          if (typeof step === 'string') await perform(job, step);
          else await send(job, step);
          expectSound(job, before, await stateOf(job));
        }
        await db.sql`select public.cancel_image_job(${job})`;
      }),
      { seed, numRuns: 60 },
    );
  });
});

describe('runs of a spec', () => {
  async function perform(id: string, step: Act): Promise<void> {
    switch (step) {
      case 'accept':
        return accept('spec_dispatch', id);
      case 'settle':
        await db.sql`update public.spec_uploads set started_at = started_at - interval '20 seconds' where id = ${id}`;
        return;
      case 'timeout':
        await db.sql`update public.spec_uploads set deadline_at = now() - interval '1 second'
                      where id = ${id} and processing_status = 'processing'`;
        await db.sql`select public.work_reap()`;
        return;
      case 'cancel':
        await db.sql`select public.stop_spec(${id})`;
        return;
      case 'retry':
      case 'prompt':
        await db.sql`select public.retry_spec(${id}, null, ${step === 'prompt'})`;
    }
  }

  async function stateOf(id: string) {
    const [spec] = await db.sql`
      select run, processing_status as status, error_code, error, sections_count, status_seq::int, progress, note,
             finished_at::text, started_at is null or started_at > now() - interval '15 seconds' as is_fresh
        from public.spec_uploads where id = ${id}`;
    const runs = await db.sql`
      select run, status, error, finished_at::text from public.upload_jobs where spec_upload_id = ${id} order by run`;
    return {
      run: Number(spec?.run),
      isFresh: Boolean(spec?.is_fresh),
      status: String(spec?.status),
      spec: { ...spec, is_fresh: undefined },
      runs: runs.map((run) => ({ ...run })),
    };
  }

  async function send(id: string, { ago, named, status, times }: Callback): Promise<void> {
    const { run } = await stateOf(id);
    const about = Math.max(1, run - ago);
    const called = named ? about : null;
    for (let time = 0; time < times; time += 1) {
      const before = await stateOf(id);
      if (status === 'running') {
        await db.sql`select public.report_spec_progress(${id}, 1800, 7200, ${called}, 0.5)`;
      } else {
        await db.sql`
          select public.apply_spec_callback(${id}, ${status === 'succeeded' ? 'completed' : 'failed'}, ${called},
            ${status === 'succeeded' ? about : null}, ${status === 'failed' ? 'no text' : null})`;
      }
      const after = await stateOf(id);
      expect(after.runs.slice(0, -1)).toEqual(before.runs.slice(0, -1));
      expect(after.runs.at(-1)?.status).toBe(after.status);
      if ((named && about < run) || time > 0) expect(after).toEqual(before);
      const isWaiting = ['pending', 'processing'].includes(before.status);
      const isDoubtful = !named && status === 'failed' && run > 1 && before.isFresh;
      if (isDoubtful && isWaiting) expect(after.status).toBe(before.status);
      if (!isWaiting && !named) expect(after.status).not.toBe('pending');
    }
  }

  test('a run of a spec ends with its own result, unless a callback without a run arrives after its first seconds', async () => {
    const story = fc.array(fc.oneof(act, fc.record(callback)), { minLength: 4, maxLength: 16 });
    await fc.assert(
      fc.asyncProperty(story, async (steps) => {
        const id = await makeSpec(db.sql);
        for (const step of steps) {
          if (typeof step === 'string') await perform(id, step);
          else await send(id, step);
        }
        await db.sql`select public.stop_spec(${id})`;
      }),
      { seed, numRuns: 40 },
    );
  });
});
