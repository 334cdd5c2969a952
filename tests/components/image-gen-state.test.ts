import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ImageGenAction,
  type ImageGenState,
  imageGenReducer,
  type JobEvent,
  openImageGen,
} from '@/components/studio/image-gen-state';
import type { ImageJob, ImageMessage, ImageStatus, Variant } from '@/lib/image-gen/schema';

const P = 'project';

function jobOf(
  jobId: string,
  status: ImageStatus,
  statusSeq: number,
  more: Partial<ImageJob> = {},
): ImageJob {
  return {
    jobId,
    projectId: P,
    status,
    statusSeq,
    run: 1,
    prompt: `Room ${jobId}`,
    inputImageId: null,
    inputImagePath: null,
    pageId: null,
    materialIds: [],
    materialPayload: [],
    options: {},
    error: null,
    createdBy: null,
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-01T00:00:00Z',
    startedAt: null,
    finishedAt: null,
    deadlineAt: null,
    cover: null,
    ...more,
  };
}

function variantOf(path: string, url: string): Variant {
  return {
    variant_id: path,
    path,
    thumb_path: `${path}-thumb`,
    meta: null,
    url,
    thumb_url: `${url}-thumb`,
    width: 1,
    height: 1,
    run: 1,
    created_at: '2026-01-01T00:00:00Z',
  };
}

const messageOf = (jobId: string, ordinal = 1): ImageMessage => ({
  id: `${jobId}-${ordinal}`,
  jobId,
  ordinal,
  role: 'user',
  prompt: 'Room',
  variantId: null,
  run: ordinal,
  status: 'queued',
  error: null,
  notes: [],
  createdAt: '2026-01-01T00:00:00Z',
});

type Step = ImageGenAction extends infer A ? (A extends unknown ? Omit<A, 'projectId'> : never) : never;
const apply = (state: ImageGenState, ...steps: Step[]) =>
  steps.reduce((before, step) => imageGenReducer(before, { ...step, projectId: P } as ImageGenAction), state);
const listOf = (...jobs: ImageJob[]): Step => ({
  type: 'jobsRead',
  status: null,
  answer: { jobs, nextCursor: null },
  at: 0,
});
const eventOf = (jobId: string, status: ImageStatus, statusSeq: number, run = 1): JobEvent => ({
  jobId,
  status,
  statusSeq,
  run,
});
const statuses = ({ jobs }: ImageGenState) => jobs.map(({ status }) => status);

describe('job updates', () => {
  test('an event updates its job in the list and in the open conversation, and is announced', () => {
    const state = apply(openImageGen(P), listOf(jobOf('a', 'queued', 1), jobOf('b', 'queued', 1)), {
      type: 'selected',
      jobId: 'a',
    });
    const next = apply(state, { type: 'event', event: eventOf('a', 'running', 2) });
    expect(statuses(next)).toEqual(['running', 'queued']);
    expect(next.current?.job?.status).toBe('running');
    expect(next.announcement?.text).toBe('“Room a” is being processed.');
  });

  test('an event with a lower or equal sequence number is ignored', () => {
    const state = apply(openImageGen(P), listOf(jobOf('a', 'succeeded', 3)));
    for (const seq of [1, 2, 3]) {
      expect(apply(state, { type: 'event', event: eventOf('a', 'running', seq) })).toBe(state);
    }
  });

  test('a response older than an event does not revert the job', () => {
    const late = listOf(jobOf('a', 'running', 2));
    let state = apply(openImageGen(P), late, { type: 'event', event: eventOf('a', 'failed', 3) }, late);
    expect(statuses(state)).toEqual(['failed']);
    state = apply(state, listOf(jobOf('a', 'failed', 3, { error: 'no color left' })));
    expect(state.jobs[0]?.error).toBe('no color left');
  });

  test('an event that arrives before its job was loaded still counts', () => {
    const state = apply(
      openImageGen(P),
      { type: 'event', event: eventOf('a', 'running', 2) },
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
    const steps = moves.flatMap((job): Step[] => [
      { type: 'event', event: eventOf('a', job.status, job.statusSeq, job.run) },
      listOf(job),
      { type: 'jobRead', job, at: 0 },
      {
        type: 'conversationRead',
        conversation: { job, messages: [], variants: [], nextCursor: null },
        at: 0,
      },
    ]);
    const start = apply(openImageGen(P), listOf(jobOf('a', 'queued', 1)), { type: 'selected', jobId: 'a' });
    const anyOrder = fc.shuffledSubarray([...steps, ...steps], { minLength: 1 });
    fc.assert(
      fc.property(anyOrder, (order) => {
        const seen = order.flatMap((step) => {
          if (step.type === 'event') return step.event.statusSeq;
          if (step.type === 'jobRead') return step.job.statusSeq;
          if (step.type === 'conversationRead') return step.conversation.job.statusSeq;
          return step.type === 'jobsRead' ? (step.answer.jobs[0]?.statusSeq ?? 0) : 0;
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
      openImageGen(P),
      listOf(...ids.map((id) => jobOf(id, 'running', 2))),
      listOf(...ids.map((id) => jobOf(id, 'succeeded', 3))),
    );
    expect(state.announcement?.text).toBe('4 images changed status.');
  });
});

describe('project change', () => {
  test('another project starts empty and ignores late updates from the previous one', () => {
    const old = apply(openImageGen(P), listOf(jobOf('a', 'queued', 1)));
    const next = imageGenReducer(old, { type: 'opened', projectId: 'other' });
    expect(next).toEqual(openImageGen('other'));
    expect(apply(next, listOf(jobOf('a', 'running', 2)))).toBe(next);
    expect(apply(next, { type: 'event', event: eventOf('a', 'running', 2) })).toBe(next);
  });
});

describe('job list', () => {
  test('a new job goes to the top of the list unless the filter excludes it', () => {
    const job = jobOf('b', 'queued', 1, { createdAt: '2026-01-02T00:00:00Z' });
    const all = apply(openImageGen(P), listOf(jobOf('a', 'succeeded', 3)), { type: 'jobRead', job, at: 0 });
    expect(all.jobs.map(({ jobId }) => jobId)).toEqual(['b', 'a']);
    const failed: Step = {
      type: 'jobsRead',
      status: 'failed',
      answer: { jobs: [jobOf('a', 'failed', 3)], nextCursor: null },
      at: 0,
    };
    const filtered = apply(openImageGen(P), { type: 'filtered', status: 'failed' }, failed, {
      type: 'jobRead',
      job,
      at: 0,
    });
    expect(filtered.jobs.map(({ jobId }) => jobId)).toEqual(['a']);
  });

  test('opening an older job by URL does not put it on top of the list', () => {
    const old = jobOf('old', 'succeeded', 3, { createdAt: '2025-01-01T00:00:00Z' });
    const state = apply(
      openImageGen(P),
      listOf(jobOf('a', 'queued', 1)),
      { type: 'selected', jobId: 'old' },
      {
        type: 'conversationRead',
        conversation: { job: old, messages: [], variants: [], nextCursor: null },
        at: 0,
      },
    );
    expect(state.jobs.map(({ jobId }) => jobId)).toEqual(['a']);
    expect(state.current?.job?.jobId).toBe('old');
  });

  test('a response for a previous filter is ignored', () => {
    const state = apply(openImageGen(P), { type: 'filtered', status: 'failed' });
    expect(apply(state, listOf(jobOf('a', 'succeeded', 3)))).toBe(state);
  });

  test('the next page adds only new jobs and sets the cursor', () => {
    const state = apply(openImageGen(P), listOf(jobOf('c', 'queued', 1), jobOf('b', 'queued', 1)), {
      type: 'jobsExtended',
      status: null,
      answer: { jobs: [jobOf('b', 'queued', 1), jobOf('a', 'queued', 1)], nextCursor: 'x' },
      at: 0,
    });
    expect(state.jobs.map(({ jobId }) => jobId)).toEqual(['c', 'b', 'a']);
    expect(state.nextCursor).toBe('x');
  });
});

describe('open conversation', () => {
  const read = (jobId: string, variants: Variant[] = [], at = 0): Step => ({
    type: 'conversationRead',
    conversation: {
      job: jobOf(jobId, 'succeeded', 3),
      messages: [messageOf(jobId)],
      variants,
      nextCursor: null,
    },
    at,
  });

  test('a conversation that arrives after another job was opened is ignored', () => {
    const state = apply(
      openImageGen(P),
      { type: 'selected', jobId: 'a' },
      { type: 'selected', jobId: 'b' },
      read('a'),
    );
    expect(state.current).toMatchObject({ jobId: 'b', messages: [], read: 'not-yet' });
  });

  test('opening the open job again keeps its conversation', () => {
    const state = apply(openImageGen(P), { type: 'selected', jobId: 'a' }, read('a'));
    expect(apply(state, { type: 'selected', jobId: 'a' })).toBe(state);
    expect(state.current?.messages).toHaveLength(1);
  });

  test('signed URLs are kept until they are about to expire, so that images do not reload', () => {
    const MINUTE = 60_000;
    let state = apply(openImageGen(P), { type: 'selected', jobId: 'a' }, read('a', [variantOf('v', 'one')]));
    state = apply(state, read('a', [variantOf('v', 'two')], 29 * MINUTE));
    expect(state.current?.variants[0]).toMatchObject({ url: 'one', thumb_url: 'one-thumb' });
    state = apply(state, read('a', [variantOf('v', 'three')], 31 * MINUTE));
    expect(state.current?.variants[0]?.url).toBe('three');
    state = apply(state, { type: 'urlsExpired' }, read('a', [variantOf('v', 'four')], 32 * MINUTE));
    expect(state.current?.variants[0]).toMatchObject({ url: 'four', thumb_url: 'four-thumb' });
  });

  describe('read in pages', () => {
    /** The prompts `from` to `to` with an image each. */
    const stretch = (from: number, to: number) => ({
      messages: Array.from({ length: to - from + 1 }, (_, i) => messageOf('a', from + i)),
      variants: Array.from({ length: to - from + 1 }, (_, i) => ({
        ...variantOf(`v${from + i}`, 'url'),
        run: from + i,
      })),
      nextCursor: from > 1 ? String(from) : null,
    });
    const end = (from: number, to: number): Step => ({
      type: 'conversationRead',
      conversation: { job: jobOf('a', 'succeeded', 3), ...stretch(from, to) },
      at: 0,
    });
    const earlier = (from: number, to: number): Step => ({
      type: 'conversationExtended',
      jobId: 'a',
      page: stretch(from, to),
      at: 0,
    });
    const shown = ({ current }: ImageGenState) => ({
      prompts: current?.messages.map(({ ordinal }) => ordinal),
      images: current?.variants.map(({ run }) => run),
      earlier: current?.earlierCursor,
    });
    const opened = apply(openImageGen(P), { type: 'selected', jobId: 'a' }, end(7, 9));

    test('earlier prompts come before those that are shown, and stay when the end is read again', () => {
      const extended = apply(opened, earlier(4, 6));
      expect(shown(extended)).toEqual({
        prompts: [4, 5, 6, 7, 8, 9],
        images: [4, 5, 6, 7, 8, 9],
        earlier: '4',
      });
      expect(shown(apply(extended, end(8, 10)))).toEqual({
        prompts: [4, 5, 6, 7, 8, 9, 10],
        images: [4, 5, 6, 7, 8, 9, 10],
        earlier: '4',
      });
      expect(shown(apply(extended, end(1, 9))).earlier).toBeNull();
    });

    test('an end that does not meet what is shown replaces it, so that no prompt is left out', () => {
      expect(shown(apply(opened, end(20, 22)))).toEqual({
        prompts: [20, 21, 22],
        images: [20, 21, 22],
        earlier: '20',
      });
    });

    test('an earlier page that comes twice, late or for another job is dropped', () => {
      expect(apply(opened, earlier(3, 5))).toBe(opened);
      const extended = apply(opened, earlier(4, 6));
      expect(apply(extended, earlier(4, 6))).toBe(extended);
      const other = apply(opened, { type: 'selected', jobId: 'b' });
      expect(apply(other, earlier(4, 6))).toBe(other);
    });
  });

  test('a job that no longer exists is removed from the list and marked as missing', () => {
    const state = apply(
      openImageGen(P),
      listOf(jobOf('a', 'succeeded', 3)),
      { type: 'selected', jobId: 'a' },
      { type: 'conversationMissing', jobId: 'a' },
    );
    expect(state.jobs).toEqual([]);
    expect(state.current).toMatchObject({ job: null, read: 'missing' });
  });

  test('server-rendered data is available in the initial state', () => {
    const job = jobOf('a', 'running', 2);
    const state = openImageGen(P, {
      jobs: [job],
      nextCursor: 'x',
      status: 'running',
      conversation: { job, messages: [messageOf('a')], variants: [], nextCursor: null },
    });
    expect(state).toMatchObject({ jobsRead: true, status: 'running', nextCursor: 'x', error: null });
    expect(state.current).toMatchObject({ jobId: 'a', read: 'done' });
    expect(state.announcement).toBeNull();
  });
});
