import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ImageGenAction, type ImageGenState, openImageGen } from '@/hooks/image-gen/image-gen-state';
import type { ImageJob } from '@/lib/image-gen/schema';
import { apply, eventOf, jobOf, listOf, pageOf, statuses } from './support/image-gen-records';

describe('job updates', () => {
  test('an event updates its job in the list and in the open conversation, and is announced', () => {
    const state = apply(openImageGen(), listOf(jobOf('a', 'queued', 1), jobOf('b', 'queued', 1)), {
      type: 'selected',
      jobId: 'a',
    });
    const next = apply(state, { type: 'event-received', event: eventOf('a', 'running', 2) });
    expect(statuses(next)).toEqual(['running', 'queued']);
    expect(next.current?.job?.status).toBe('running');
    expect(next.announcement?.text).toBe('“Room a” is being processed.');
    const named = apply(openImageGen(), listOf({ ...jobOf('a', 'running', 1), name: 'Lobby' }), {
      type: 'event-received',
      event: eventOf('a', 'succeeded', 2),
    });
    expect(named.announcement?.text).toBe('“Lobby” is ready.');
  });

  test('an event with a lower or equal sequence number is ignored', () => {
    const state = apply(openImageGen(), listOf(jobOf('a', 'succeeded', 3)));
    for (const seq of [1, 2, 3]) {
      expect(apply(state, { type: 'event-received', event: eventOf('a', 'running', seq) })).toBe(state);
    }
  });

  test('a response older than an event does not revert the job', () => {
    const late = listOf(jobOf('a', 'running', 2));
    let state = apply(
      openImageGen(),
      late,
      { type: 'event-received', event: eventOf('a', 'failed', 3) },
      late,
    );
    expect(statuses(state)).toEqual(['failed']);
    state = apply(state, listOf(jobOf('a', 'failed', 3, { error: 'no color left' })));
    expect(state.jobs[0]?.error).toBe('no color left');
  });

  test('an event that arrives before its job was loaded is still applied', () => {
    const state = apply(
      openImageGen(),
      { type: 'event-received', event: eventOf('a', 'running', 2) },
      listOf(jobOf('a', 'queued', 1)),
    );
    expect(statuses(state)).toEqual(['running']);
  });

  test('shuffled and duplicated events and responses end in the newest state', () => {
    const moves = [
      jobOf('a', 'queued', 1),
      jobOf('a', 'running', 2),
      jobOf('a', 'failed', 3),
      jobOf('a', 'queued', 4, { run: 2 }),
      jobOf('a', 'running', 5, { run: 2 }),
      jobOf('a', 'succeeded', 6, { run: 2 }),
    ];
    const steps = moves.flatMap((job): ImageGenAction[] => [
      { type: 'event-received', event: eventOf('a', job.status, job.statusSeq, job.run) },
      listOf(job),
      { type: 'job-read', job, at: 0 },
      {
        type: 'conversation-read',
        conversation: { job, messages: [], variants: [], nextCursor: null },
        at: 0,
      },
    ]);
    const start = apply(openImageGen(), listOf(jobOf('a', 'queued', 1)), { type: 'selected', jobId: 'a' });
    const anyOrder = fc.shuffledSubarray([...steps, ...steps], { minLength: 1 });
    fc.assert(
      fc.property(anyOrder, (order) => {
        const seen = order.flatMap((step) => {
          if (step.type === 'event-received') return step.event.statusSeq;
          if (step.type === 'job-read') return step.job.statusSeq;
          if (step.type === 'conversation-read') return step.conversation.job.statusSeq;
          return step.type === 'jobs-read' ? (step.response.jobs[0]?.statusSeq ?? 0) : 0;
        });
        const newest = moves[Math.max(...seen) - 1];
        const end = apply(start, ...order);
        expect(end.jobs).toMatchObject([{ status: newest?.status, run: newest?.run }]);
        expect(end.current?.job).toMatchObject({ status: newest?.status, run: newest?.run });
      }),
    );
  });

  test('many simultaneous updates are announced as one summary', () => {
    const ids = ['a', 'b', 'c', 'd'];
    const state = apply(
      openImageGen(),
      listOf(...ids.map((id) => jobOf(id, 'running', 2))),
      listOf(...ids.map((id) => jobOf(id, 'succeeded', 3))),
    );
    expect(state.announcement?.text).toBe('4 images changed status.');
  });
});

describe('job list', () => {
  test('a new job goes to the top of the list unless the filter excludes it', () => {
    const job = jobOf('b', 'queued', 1, { createdAt: '2026-01-02T00:00:00Z' });
    const all = apply(openImageGen(), listOf(jobOf('a', 'succeeded', 3)), { type: 'job-read', job, at: 0 });
    expect(all.jobs.map(({ jobId }) => jobId)).toEqual(['b', 'a']);
    const failed: ImageGenAction = {
      type: 'jobs-read',
      status: 'failed',
      response: { jobs: [jobOf('a', 'failed', 3)], nextCursor: null },
      at: 0,
    };
    const filtered = apply(openImageGen(), { type: 'filtered', status: 'failed' }, failed, {
      type: 'job-read',
      job,
      at: 0,
    });
    expect(filtered.jobs.map(({ jobId }) => jobId)).toEqual(['a']);
  });

  test('opening an older job by URL does not put it on top of the list', () => {
    const old = jobOf('old', 'succeeded', 3, { createdAt: '2025-01-01T00:00:00Z' });
    const state = apply(
      openImageGen(),
      listOf(jobOf('a', 'queued', 1)),
      { type: 'selected', jobId: 'old' },
      {
        type: 'conversation-read',
        conversation: { job: old, messages: [], variants: [], nextCursor: null },
        at: 0,
      },
    );
    expect(state.jobs.map(({ jobId }) => jobId)).toEqual(['a']);
    expect(state.current?.job?.jobId).toBe('old');
  });

  test('a response for a previous filter is ignored', () => {
    const state = apply(openImageGen(), { type: 'filtered', status: 'failed' });
    expect(apply(state, listOf(jobOf('a', 'succeeded', 3)))).toBe(state);
  });

  /** Returns jobs that were created on these days of January; the id of a job is its day. */
  const madeOn = (...days: number[]) =>
    days.map((day) => {
      const date = String(day).padStart(2, '0');
      return jobOf(date, 'succeeded', 3, { createdAt: `2026-01-${date}T00:00:00.000Z` });
    });
  const days = ({ jobs }: ImageGenState) => jobs.map(({ jobId }) => Number(jobId));

  test('the next page adds only new jobs and sets the cursor', () => {
    const state = apply(openImageGen(), pageOf('x', ...madeOn(9, 8)), {
      type: 'jobs-extended',
      status: null,
      cursor: 'x',
      response: { jobs: madeOn(8, 7), nextCursor: 'y' },
      at: 0,
    });
    expect(days(state)).toEqual([9, 8, 7]);
    expect(state.nextCursor).toBe('y');
  });

  test('a next page that was loaded with another cursor is ignored, because it leaves a gap', () => {
    const state = apply(openImageGen(), pageOf('y', ...madeOn(9, 8)));
    const page = { jobs: madeOn(3, 2), nextCursor: null };
    expect(apply(state, { type: 'jobs-extended', status: null, cursor: 'x', response: page, at: 0 })).toBe(
      state,
    );
  });

  test('a first page keeps older jobs and their cursor, and removes newer jobs that are not on it', () => {
    const state = apply(
      openImageGen(),
      pageOf('y', ...madeOn(9, 8, 7, 6, 5)),
      pageOf('x', ...madeOn(10, 9, 7)),
    );
    expect(days(state)).toEqual([10, 9, 7, 6, 5]);
    expect(state.nextCursor).toBe('y');
  });

  test('a first page without a cursor is the whole list', () => {
    const state = apply(openImageGen(), pageOf('y', ...madeOn(9, 8, 7, 6)), listOf(...madeOn(9, 8)));
    expect(days(state)).toEqual([9, 8]);
    expect(state.nextCursor).toBeNull();
  });

  test('a first page that does not reach the shown jobs replaces them, so that no job is left out', () => {
    const state = apply(openImageGen(), listOf(...madeOn(5, 4)), pageOf('x', ...madeOn(10, 9)));
    expect(days(state)).toEqual([10, 9]);
    expect(state.nextCursor).toBe('x');
  });

  test('jobs created at the same time as the last job of the first page are kept', () => {
    const same = ['c', 'b', 'a'].map((id) => jobOf(id, 'succeeded', 3));
    const state = apply(openImageGen(), listOf(...same), pageOf('x', ...same.slice(0, 1)));
    expect(state.jobs.map(({ jobId }) => jobId)).toEqual(['c', 'b', 'a']);
  });

  test('older jobs that are read one by one update their rows, but never with older data', () => {
    const [, old] = madeOn(9, 8);
    const done = { ...madeOn(8)[0], statusSeq: 5, status: 'failed', error: 'no color left' } as ImageJob;
    const older = (job: ImageJob): ImageGenAction => ({
      type: 'older-jobs-read',
      status: null,
      jobs: [job],
      at: 0,
    });
    const state = apply(openImageGen(), listOf(...madeOn(9, 8)), older(done), older(old as ImageJob));
    expect(state.jobs[1]).toMatchObject({ jobId: '08', status: 'failed', error: 'no color left' });
    expect(days(apply(state, older(madeOn(1)[0] as ImageJob)))).toEqual([9, 8, 1]);
  });

  test('in a filtered list, older jobs are added in order and removed when their status no longer matches', () => {
    const read: ImageGenAction = {
      type: 'jobs-read',
      status: 'succeeded',
      response: { jobs: madeOn(9, 7, 5), nextCursor: 'x' },
      at: 0,
    };
    const start = apply(openImageGen(), { type: 'filtered', status: 'succeeded' }, read);
    const [entered, tooOld, left] = madeOn(6, 2, 7) as [ImageJob, ImageJob, ImageJob];
    const jobs = [entered, tooOld, { ...left, status: 'queued' as const, statusSeq: 4 }];
    const state = apply(start, { type: 'older-jobs-read', status: 'succeeded', jobs, at: 0 });
    expect(days(state)).toEqual([9, 6, 5]);
  });

  test('the first page after a filter change replaces the jobs of the previous filter', () => {
    const state = apply(
      openImageGen(),
      listOf(...madeOn(9, 8, 7)),
      { type: 'filtered', status: 'succeeded' },
      { type: 'jobs-read', status: 'succeeded', response: { jobs: madeOn(9), nextCursor: 'x' }, at: 0 },
    );
    expect(days(state)).toEqual([9]);
  });
});
