import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { imageStates, specStates } from '@/tests/app/support/database';
import { filesOf } from '@/tests/app/support/exports';
import { poll } from '@/tests/app/support/poll';
import { type Mode, seededRandom } from '@/tests/fakes/workflow/modes';
import { expectCompleteExports } from '@/tests/soak/invariants/exports';
import { expectCompleteJobs } from '@/tests/soak/invariants/images';
import { orphansOf } from '@/tests/soak/invariants/orphans';
import { expectCompleteSpecs } from '@/tests/soak/invariants/specs';
import { type Harness, startHarness } from '@/tests/start/faults/product';
import {
  endLeases,
  isTrigger,
  killBackend,
  killBrowsers,
  killWork,
  type Outcome,
  preventClaims,
  rpc,
  type Step,
  untilAllEnded,
  waitFor,
} from '@/tests/start/faults/strike';
import * as a from '@/tests/start/faults/subjects';
import type { Choice } from '@/tests/start/support/gate';
import { profileOwners } from '@/tests/start/support/printing-browsers';

// Faults are injected while gates hold the subjects at their steps, so no test depends on the speed of the machine.
const seed = Number(process.env.ATELIER_SEED ?? 1);
const random = seededRandom(seed);
function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((x, y) => x.at - y.at)
    .map(({ item }) => item);
}

const stores =
  (bucket: string): Choice =>
  (method, path) =>
    method !== 'DELETE' && path.startsWith(`/storage/v1/object/${bucket}/`);
const removesSpec: Choice = (method, path) =>
  method === 'DELETE' && path.startsWith('/storage/v1/object/specs');
const fetchesImage: Choice = (method, path) =>
  method === 'GET' && path.startsWith('/storage/v1/object/sign/images/');
const appliesImages: Choice = (...request) =>
  rpc('apply_image_callback')(...request) && request[2].includes('p_outputs');

type Row = [title: string, kind: a.Kind, side: Step['side'], at: Choice];
const asSteps = (by: Step['by'], rows: Row[]): Step[] =>
  rows.map(([title, kind, side, at]) => ({ title, kind, by, side, at }));

const steps: Step[] = [
  ...asSteps('request', [
    ['a spec whose file is about to be stored', a.newSpec, 'before', stores('specs')],
    ['a spec whose file is stored', a.newSpec, 'after', stores('specs')],
    ['a spec whose rows are about to be written', a.newSpec, 'before', rpc('create_spec_upload')],
    ['a spec whose rows are written', a.newSpec, 'after', rpc('create_spec_upload')],
    ['a failed spec whose retry is about to be written', a.retriedSpec, 'before', rpc('retry_spec')],
    ['a failed spec whose retry is written', a.retriedSpec, 'after', rpc('retry_spec')],
    ['a spec whose rows are about to be deleted', a.deletedSpec, 'before', rpc('delete_specs')],
    ['a spec whose rows are deleted', a.deletedSpec, 'after', rpc('delete_specs')],
    ['a spec whose file is about to be removed', a.deletedSpec, 'before', removesSpec],
    ['an image whose file is about to be stored', a.newPicture, 'before', stores('images')],
    ['an image whose file is stored', a.newPicture, 'after', stores('images')],
    ['an image whose row is about to be written', a.newPicture, 'before', rpc('create_project_image')],
    ['an image whose row is written', a.newPicture, 'after', rpc('create_project_image')],
    ['an image job that is about to be written', a.newJob, 'before', rpc('create_image_job')],
    ['an image job that is written', a.newJob, 'after', rpc('create_image_job')],
    ['a message that is about to be written', a.refinedJob, 'before', rpc('send_image_message')],
    ['a message that is written', a.refinedJob, 'after', rpc('send_image_message')],
    ['a failed image job whose retry is about to be written', a.retriedJob, 'before', rpc('retry_image_job')],
    ['a failed image job whose retry is written', a.retriedJob, 'after', rpc('retry_image_job')],
    ['an image job that is about to be canceled', a.canceledJob, 'before', rpc('cancel_image_job')],
    ['an image job that is canceled', a.canceledJob, 'after', rpc('cancel_image_job')],
    ['pages that are about to be saved', a.savedPages, 'before', rpc('save_project_pages')],
    ['pages that are saved', a.savedPages, 'after', rpc('save_project_pages')],
    ['an export that is about to be written', a.newExport, 'before', rpc('create_export_job')],
    ['an export that is written', a.newExport, 'after', rpc('create_export_job')],
    ['an export that is about to be canceled', a.canceledExport, 'before', rpc('cancel_export_job')],
    ['an export that is canceled', a.canceledExport, 'after', rpc('cancel_export_job')],
  ]),
  ...asSteps('app', [
    ['a spec whose trigger is about to be sent', a.waitingSpec, 'before', isTrigger],
    ['a spec whose trigger is accepted', a.waitingSpec, 'after', isTrigger],
    ['a spec whose acceptance is about to be noted', a.waitingSpec, 'before', rpc('work_dispatched')],
    ['an image job whose acceptance is noted', a.waitingJob, 'after', rpc('work_dispatched')],
    ['a spec whose failed try is about to be noted', a.stumblingSpec, 'before', rpc('work_failed')],
    ['a spec whose failed try is noted', a.stumblingSpec, 'after', rpc('work_failed')],
    ['an export that is being printed', a.waitingExport, 'before', fetchesImage],
    ['an export whose file is about to be stored', a.waitingExport, 'before', stores('exports')],
  ]),
  ...asSteps('worker', [
    ['an export whose file is stored', a.waitingExport, 'after', stores('exports')],
    ['an export that is finished', a.waitingExport, 'after', rpc('export_finished')],
  ]),
  ...asSteps('claim', [['a spec that is claimed', a.waitingSpec, 'after', rpc('work_claim')]]),
  ...asSteps('callback', [
    ['a spec whose result is about to be applied', a.waitingSpec, 'before', rpc('apply_spec_callback')],
    ['a spec whose result is applied', a.waitingSpec, 'after', rpc('apply_spec_callback')],
    [
      'an image job whose outputs are about to be checked',
      a.waitingJob,
      'before',
      rpc('apply_image_callback'),
    ],
    ['an image job whose thumbnail is stored', a.waitingJob, 'after', stores('images')],
    ['an image job whose result is about to be applied', a.waitingJob, 'before', appliesImages],
    ['an image job whose result is applied', a.waitingJob, 'after', appliesImages],
  ]),
];

/** The steps at which a kill leaves a file without a row. */
const leavesFile = new Set([
  'a spec whose file is stored',
  'a spec whose rows are about to be written',
  'a spec whose rows are deleted',
  'a spec whose file is about to be removed',
  'an image whose file is stored',
  'an image whose row is about to be written',
  'an export whose file is stored',
]);

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
});

afterAll(async () => {
  await harness?.sql.end();
  expect(await harness?.product.stop()).toEqual([]);
  // No browser that was killed, or whose parent process was killed, has left its profile behind.
  expect(await profileOwners(harness?.product.pids ?? new Set())).toEqual([]);
});

const endings = [
  ['ok', 'completed'],
  ['lost-response', 'completed'],
  ['fast', 'completed'],
  ['twice', 'completed'],
  ['conflict', 'completed'],
  ['garbage', 'completed'],
  ['stale-run', 'completed'],
  ['fail', 'failed'],
  ['wrong-secret', 'failed'],
] as const;

describe(`a misbehaving workflow service (seed ${seed})`, () => {
  const scripts = endings.map(([ending]) => [...shuffled<Mode>(['reset', 'broken', 'unavailable']), ending]);
  const ids: string[] = [];
  let jobId = '';

  beforeAll(async () => {
    const { ledger, sql } = harness;
    const doors = await preventClaims(harness);
    for (const script of scripts) ids.push((await a.scriptedSpec(harness, script)).markers[0] ?? '');
    jobId = (await a.waitingJob(harness)).markers[0] ?? '';
    await a.scriptWorkflow(harness, { job_id: jobId }, ['reset', 'unavailable', 'lost-response', 'twice']);
    doors.worker.release();
    doors.app.release();
    const silent = ids.at(-1) ?? '';
    await untilAllEnded(harness, [silent]);
    // The callbacks for this spec have a wrong secret, so the spec finishes only at its deadline.
    ledger.givenUp = new Set([silent]);
    await sql`update public.spec_uploads set deadline_at = now() where id = ${silent}`;
    await untilAllEnded(harness);
  });

  test.each(endings)('a spec whose service ends with "%s" after three failed tries is %s', async (...row) => {
    const index = endings.findIndex(([ending]) => ending === row[0]);
    const id = ids[index] ?? '';
    const [state] = await specStates(harness.sql, [id]);
    expect(state).toMatchObject({ run: 1, spec: row[1], document: row[1], job: row[1], work: 'done' });
    const [item] = await harness.sql`select attempts from private.work_items where subject_id = ${id}`;
    // If the service accepts the work but its response is lost, the spec is triggered once more, unless the result
    // arrives first.
    expect(row[0] === 'lost-response' ? [4, 5] : [4]).toContain(item?.attempts);
  });

  test('an image job has no duplicate variants when the response that accepted it was lost', async () => {
    const [state] = await imageStates(harness.sql, [jobId]);
    expect(state).toMatchObject({ run: 1, job: 'succeeded', work: 'done' });
    expect(state?.variants).toHaveLength(4);
  });
});

const isPrinting = ({ at }: Step) => at === fetchesImage;
describe.each([
  ['the printing browser is killed', killBrowsers, steps.filter(isPrinting)],
  ['the backend and its Postgres are killed', killBackend, steps],
] as const)(`when %s (seed ${seed})`, { tags: ['extended'] }, (fault, strike, those) => {
  let outcome: Outcome;
  beforeAll(async () => {
    outcome = await strike(harness, shuffled(those));
  });

  test.each(those)(`$title ends correctly when ${fault}`, (step) => expectRightEnd(outcome, step));
  test(`all accepted work finishes when ${fault}`, () => expect(outcome.stuck).toBeNull());
});

describe('a worker that reports after its lease has expired and the app has taken over', {
  tags: ['extended'],
}, () => {
  const isReport: Choice = (...request) =>
    ['work_failed', 'work_dispatched', 'export_finished'].some((name) => rpc(name)(...request));

  /** Lets the worker and then the app claim the same work, and lets the worker report before the app. */
  async function reportLate(make: () => Promise<a.Subject>): Promise<a.Subject> {
    const { gates } = harness.product;
    const doors = await preventClaims(harness);
    const subject = await make();
    const late = gates.worker.hold(isReport, { atMost: 1 });
    doors.worker.release();
    await waitFor('the report of the worker is held', async () => late.waiting() === 1);
    const shut = await preventClaims(harness);
    const timely = gates.app.hold(isReport, { atMost: 1 });
    await endLeases(harness);
    doors.app.release();
    shut.app.release();
    await waitFor('the report of the app is held', async () => timely.waiting() === 1);
    expect(late.waiting()).toBe(1);
    late.release();
    await waitFor('the worker has its response', async () => gates.worker.isClear(isReport));
    timely.release();
    shut.worker.release();
    await untilAllEnded(harness);
    return subject;
  }

  test('a worker with an expired lease does not fail a spec that the app has dispatched again', async () => {
    const subject = await reportLate(() => a.scriptedSpec(harness, ['refuse', 'ok']));
    await subject.check();
  });

  test('a worker with an expired lease does not finish an export with its own file', async () => {
    const { check, markers } = await reportLate(() => a.waitingExport(harness));
    await check();
    const [id = ''] = markers;
    // The worker removes its file only after it gets the response to its report.
    await waitFor('only the file of the app is left', async () => {
      const names = (await filesOf(harness.sql, id)).map((name) => name.split('/').at(-1));
      return names.join() === '2.pdf';
    });
  });
});

describe(`when the app and the worker are killed (seed ${seed})`, () => {
  let outcome: Outcome;
  beforeAll(async () => {
    outcome = await killWork(harness, shuffled(steps));
  });

  test.each(steps)('$title ends correctly when the app and the worker are killed', (step) =>
    expectRightEnd(outcome, step),
  );
  test('all accepted work finishes when the app and the worker are killed', () =>
    expect(outcome.stuck).toBeNull());

  test.each(steps.filter((step) => leavesFile.has(step.title)))(
    '$title leaves a file for the sweep when the app and the worker are killed',
    (step) => {
      const [marker = ''] = outcome.struck.get(step)?.subject.markers ?? [];
      expect(outcome.orphans.join(' ')).toContain(marker);
    },
  );
  test('after the next start the sweep removes every file without a row', async () => {
    await poll('the sweep has run', async () => (await orphansOf(harness.sql)).length === 0);
  });
  test('after the next start no folder of an export is left', async () => {
    await poll('the folders are gone', async () => (await harness.product.exportFolders()).length === 0);
  });
});

describe('after all faults', () => {
  test('after all faults every spec exists once with one result', async () => {
    expect(await expectCompleteSpecs(harness.sql, harness.ledger)).toBe(harness.ledger.uploads.length - 2);
  });
  test('after all faults every image job exists once with one result and the files of its variants', async () => {
    await expectCompleteJobs(harness.sql, harness.ledger);
  });
  test('after all faults every export exists once with one file that holds the requested pages', async () => {
    const env = { ...harness.product.env, NEXT_PUBLIC_SUPABASE_URL: harness.product.backendUrl };
    await expectCompleteExports(harness.sql, env, harness.ledger);
  });
});

async function expectRightEnd({ struck }: Outcome, step: Step): Promise<void> {
  const each = struck.get(step);
  await each?.request;
  await each?.subject.check();
}
