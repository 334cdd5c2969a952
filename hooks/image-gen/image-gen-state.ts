import { z } from 'zod';
import {
  type ImageJob,
  type ImageMessage,
  type ImageStatus,
  imageStatus,
  type Variant,
} from '@/lib/image-gen/schema';
import type { ReducerStore } from '../reducer-store';
import { announced } from './image-gen-announcement';

/** A broadcast change of a job. */
export const jobEvent = z.object({
  jobId: z.string(),
  status: imageStatus,
  statusSeq: z.number(),
  run: z.number(),
  progress: z.number().nullable(),
});
export type JobEvent = z.infer<typeof jobEvent>;

/** Consecutive prompts of a conversation, oldest first; `nextCursor` loads the prompts before them. */
export type MessagesPage = { messages: ImageMessage[]; variants: Variant[]; nextCursor: string | null };
export type LoadedConversation = MessagesPage & { job: ImageJob };
export type JobsPage = { jobs: ImageJob[]; nextCursor: string | null };

/** Server-rendered data for the first view of a project. */
export type ImageGenStart = JobsPage & {
  status: ImageStatus | null;
  conversation: LoadedConversation | null;
};

type CurrentJob = {
  jobId: string;
  job: ImageJob | null;
  messages: ImageMessage[];
  variants: Variant[];
  /** Cursor for the prompts before `messages`; null if there are no earlier prompts. */
  earlierCursor: string | null;
  /** `missing`: the project has no such job, or the user has no access. */
  read: 'not-yet' | 'done' | 'missing';
};
export type KnownUrls = { url: string | null; thumb_url: string | null; readAt: number };

export type ImageGenState = {
  /** Status filter of the list; null lists all jobs. */
  status: ImageStatus | null;
  jobs: ImageJob[];
  nextCursor: string | null;
  jobsRead: boolean;
  /**
   * Creation time of the newest job that the last read of the list returned. Newer jobs in the list were added one by
   * one since then, so there can be gaps between them.
   */
  readUpTo: string;
  current: CurrentJob | null;
  /** Latest event of each job. Older events that arrive late are dropped. */
  moves: Record<string, JobEvent>;
  /**
   * Signed URLs by file path. Every fetch returns new URLs, but the known ones are kept for `URL_KEEP_MS`, because with
   * a new URL the browser would load the image again.
   */
  urls: Record<string, KnownUrls>;
  error: unknown;
  /** Screen reader announcement. Each one is a new object, so that repeated text is announced again. */
  announcement: { text: string } | null;
};

/** `at` is in ms since the epoch. */
export type ImageGenAction =
  | { type: 'filtered'; status: ImageStatus | null }
  | { type: 'jobs-read'; status: ImageStatus | null; response: JobsPage; at: number }
  /** Older jobs that were fetched one by one. */
  | { type: 'older-jobs-read'; status: ImageStatus | null; jobs: ImageJob[]; at: number }
  /** `cursor` is the cursor that loaded this page. */
  | { type: 'jobs-extended'; status: ImageStatus | null; cursor: string; response: JobsPage; at: number }
  | { type: 'job-read'; job: ImageJob; at: number }
  | { type: 'selected'; jobId: string | null }
  | { type: 'conversation-read'; conversation: LoadedConversation; at: number }
  | { type: 'conversation-extended'; jobId: string; page: MessagesPage; at: number }
  | { type: 'conversation-missing'; jobId: string }
  | { type: 'event-received'; event: JobEvent }
  | { type: 'urls-expired' }
  | { type: 'read-failed'; error: unknown };

export type ImageGenStore = ReducerStore<ImageGenState, ImageGenAction>;

/** Returns whether a run with this status is unfinished. */
export function isUnderWay(status: ImageStatus): boolean {
  return status === 'queued' || status === 'running';
}

/** How long signed URLs are kept, in milliseconds. They are valid for an hour. */
const URL_KEEP_MS = 30 * 60_000;

/** Returns the initial state, with the server-rendered data if there is any. */
export function openImageGen(start?: ImageGenStart, at = 0): ImageGenState {
  const empty: ImageGenState = {
    status: start?.status ?? null,
    jobs: [],
    nextCursor: null,
    jobsRead: false,
    readUpTo: '',
    current: null,
    moves: {},
    urls: {},
    error: null,
    announcement: null,
  };
  if (!start) return empty;
  const { status, conversation } = start;
  const listed = imageGenReducer(empty, { type: 'jobs-read', status, response: start, at });
  if (!conversation) return listed;
  const { jobId } = conversation.job;
  const selected = imageGenReducer(listed, { type: 'selected', jobId });
  return imageGenReducer(selected, { type: 'conversation-read', conversation, at });
}

export function imageGenReducer(state: ImageGenState, action: ImageGenAction): ImageGenState {
  switch (action.type) {
    case 'filtered':
      return action.status === state.status
        ? state
        : { ...state, status: action.status, nextCursor: null, jobsRead: false };
    case 'jobs-read': {
      if (action.status !== state.status) return state;
      const { jobs, nextCursor } = action.response;
      const older = jobsAfter(jobsWithoutGaps(state), action.response).filter(matches(state));
      return announced(state, {
        ...withJobs(state, [...jobs, ...older], jobs, action.at),
        nextCursor: older.length > 0 ? state.nextCursor : nextCursor,
        jobsRead: true,
        readUpTo: jobs[0]?.createdAt ?? '',
        error: null,
      });
    }
    case 'older-jobs-read': {
      if (action.status !== state.status || !state.jobsRead) return state;
      const { jobs, at } = action;
      const fresh = new Map(jobs.map((job) => [job.jobId, job]));
      const shown = new Set(state.jobs.map(({ jobId }) => jobId));
      const added = jobs.filter((job) => !shown.has(job.jobId) && isLoaded(state, job));
      const rows = [...state.jobs.map((row) => fresh.get(row.jobId) ?? row), ...added];
      return announced(state, withJobs(state, rows.filter(matches(state)).sort(newestFirst), jobs, at));
    }
    case 'jobs-extended': {
      if (action.status !== state.status || action.cursor !== state.nextCursor) return state;
      const { jobs, nextCursor } = action.response;
      const shown = new Set(state.jobs.map(({ jobId }) => jobId));
      const more = jobs.filter(({ jobId }) => !shown.has(jobId));
      return { ...withJobs(state, [...state.jobs, ...more], more, action.at), nextCursor, error: null };
    }
    case 'job-read':
      return announced(state, withJob(state, action.job, action.at));
    case 'selected':
      return select(state, action.jobId);
    case 'conversation-read': {
      const { job, messages, variants, nextCursor } = action.conversation;
      if (state.current?.jobId !== job.jobId) return state;
      const next = withJob(state, job, action.at);
      if (!next.current) return state;
      const known = withKnownUrls(next.urls, variants, action.at);
      const shown = shownBefore(next.current, messages);
      const current: CurrentJob = {
        ...next.current,
        messages: [...shown.messages, ...messages],
        variants: [...shown.variants, ...known.variants],
        earlierCursor: shown.messages.length > 0 ? next.current.earlierCursor : nextCursor,
        read: 'done',
      };
      return announced(state, { ...next, urls: known.urls, current, error: null });
    }
    case 'conversation-extended': {
      const { jobId, page, at } = action;
      const first = state.current?.messages[0]?.ordinal;
      if (state.current?.jobId !== jobId || page.messages.at(-1)?.ordinal !== (first ?? 0) - 1) return state;
      const known = withKnownUrls(state.urls, page.variants, at);
      const current: CurrentJob = {
        ...state.current,
        messages: [...page.messages, ...state.current.messages],
        variants: [...known.variants, ...state.current.variants],
        earlierCursor: page.nextCursor,
      };
      return { ...state, urls: known.urls, current, error: null };
    }
    case 'conversation-missing':
      if (state.current?.jobId !== action.jobId) return state;
      return {
        ...state,
        jobs: state.jobs.filter(({ jobId }) => jobId !== action.jobId),
        current: {
          ...state.current,
          job: null,
          messages: [],
          variants: [],
          earlierCursor: null,
          read: 'missing',
        },
      };
    case 'event-received':
      return announced(state, move(state, action.event));
    case 'urls-expired':
      return { ...state, urls: {} };
    case 'read-failed':
      return { ...state, error: action.error };
  }
}

function select(state: ImageGenState, jobId: string | null): ImageGenState {
  if ((state.current?.jobId ?? null) === jobId) return state;
  if (jobId === null) return { ...state, current: null };
  const job = state.jobs.find((known) => known.jobId === jobId) ?? null;
  const current: CurrentJob = {
    jobId,
    job,
    messages: [],
    variants: [],
    earlierCursor: null,
    read: 'not-yet',
  };
  return { ...state, current };
}

/**
 * Returns the loaded prompts that immediately precede `messages`, with their variants. These prompts do not need to be
 * fetched again, because a run changes only the last prompt. After a broadcast of any other change, and on each resync,
 * all shown prompts are fetched anyway.
 */
function shownBefore(
  current: CurrentJob,
  messages: ImageMessage[],
): Pick<CurrentJob, 'messages' | 'variants'> {
  const first = messages[0]?.ordinal ?? 1;
  const earlier = current.messages.filter(({ ordinal }) => ordinal < first);
  const last = earlier.at(-1);
  if (last?.ordinal !== first - 1) return { messages: [], variants: [] };
  return { messages: earlier, variants: current.variants.filter(({ run }) => run <= last.run) };
}

/**
 * Returns the shown jobs that are no newer than `readUpTo`. No job is missing between them. Returns none until the
 * first read under the current filter, because until then the list still shows the jobs of the previous filter.
 */
export function jobsWithoutGaps({ jobs, jobsRead, readUpTo }: ImageGenState): ImageJob[] {
  return jobsRead ? jobs.filter(({ createdAt }) => createdAt <= readUpTo) : [];
}

/**
 * Returns whether there is certainly no gap between `jobs` and `shown`. `jobs` is the fetched start of a list. `shown`
 * itself must have no gaps (see `jobsWithoutGaps`).
 */
export function meets(jobs: ImageJob[], shown: ImageJob[]): boolean {
  const [first] = shown;
  const last = jobs.at(-1);
  if (!first || !last || last.createdAt < first.createdAt) return true;
  const ids = new Set(shown.map(({ jobId }) => jobId));
  return jobs.some(({ jobId }) => ids.has(jobId));
}

/**
 * Returns the jobs in `shown` that come after `jobs`, which is the fetched start of the list. Returns none if there may
 * be a gap between `jobs` and `shown`. `shown` itself must have no gaps (see `jobsWithoutGaps`).
 */
export function jobsAfter(shown: ImageJob[], { jobs, nextCursor }: JobsPage): ImageJob[] {
  const last = jobs.at(-1);
  if (nextCursor === null || !last || !meets(jobs, shown)) return [];
  const ids = new Set(jobs.map(({ jobId }) => jobId));
  // Filter by id too, because several jobs can have the same creation time, and their order is unknown here.
  return shown.filter(({ jobId, createdAt }) => createdAt <= last.createdAt && !ids.has(jobId));
}

const newestFirst = (a: ImageJob, b: ImageJob) =>
  a.createdAt === b.createdAt ? 0 : a.createdAt < b.createdAt ? 1 : -1;

const matches =
  ({ status }: ImageGenState) =>
  (job: ImageJob) =>
    status === null || job.status === status;

/** Returns whether a job belongs to the part of the list that is loaded. */
function isLoaded({ jobs, nextCursor }: ImageGenState, { createdAt }: ImageJob): boolean {
  const last = jobs.at(-1);
  return nextCursor === null || (last !== undefined && createdAt > last.createdAt);
}

/**
 * Replaces the list with `rows`, and updates the current job if it is listed. `fresh` contains the rows just fetched.
 */
function withJobs(state: ImageGenState, rows: ImageJob[], fresh: ImageJob[], at: number): ImageGenState {
  const covers = fresh.flatMap(({ cover }) => cover ?? []);
  const known = withKnownUrls(state.urls, covers, at);
  const next = { ...state, urls: known.urls };
  const isFresh = new Set(fresh);
  const jobs = rows.map((row) => (isFresh.has(row) ? newest(next, row) : row));
  const open = jobs.find(({ jobId }) => jobId === state.current?.jobId);
  const current = state.current && open ? { ...state.current, job: open } : state.current;
  return { ...next, jobs, current };
}

/**
 * Updates a job wherever it is shown: in the list and as the current job. If the job is not listed, adds it at the top,
 * provided that the list is loaded, the job matches the filter and no listed job is newer.
 */
function withJob(state: ImageGenState, job: ImageJob, at: number): ImageGenState {
  const known = withKnownUrls(state.urls, job.cover ? [job.cover] : [], at);
  const next = { ...state, urls: known.urls };
  const row = newest(next, job);
  const listed = state.jobs.some(({ jobId }) => jobId === job.jobId);
  const first = state.jobs[0];
  const belongs = state.jobsRead && (state.status === null || state.status === row.status);
  const isNewest = !first || job.createdAt >= first.createdAt;
  const jobs = listed
    ? state.jobs.map((other) => (other.jobId === job.jobId ? row : other))
    : belongs && isNewest
      ? [row, ...state.jobs]
      : state.jobs;
  const current = state.current?.jobId === job.jobId ? { ...state.current, job: row } : state.current;
  return { ...next, jobs, current };
}

/** Returns the latest known state of a job. A response can be older than an event that has already been applied. */
function newest(state: ImageGenState, row: ImageJob): ImageJob {
  const { jobId } = row;
  const open = state.current?.jobId === jobId ? state.current.job : null;
  const shown = open ?? state.jobs.find((known) => known.jobId === jobId);
  const best = shown && shown.statusSeq > row.statusSeq ? shown : row;
  const known = best.cover && state.urls[best.cover.path];
  const cover =
    best.cover && known ? { ...best.cover, url: known.url, thumb_url: known.thumb_url } : best.cover;
  return moved({ ...best, cover }, state.moves[jobId]);
}

function moved(job: ImageJob, event: JobEvent | undefined): ImageJob {
  if (!event || event.jobId !== job.jobId || event.statusSeq <= job.statusSeq) return job;
  const { status, statusSeq, run, progress } = event;
  // The event does not contain `progressAt`, `note` or `error`. Clear each of them that may be outdated. The next fetch
  // returns the current values.
  const progressAt = progress === job.progress ? job.progressAt : null;
  const note = run === job.run ? job.note : null;
  return { ...job, status, statusSeq, run, progress, progressAt, note, error: null };
}

function move(state: ImageGenState, event: JobEvent): ImageGenState {
  const shown = [...state.jobs, ...(state.current?.job ? [state.current.job] : [])];
  const seqs = shown.flatMap(({ jobId, statusSeq }) => (jobId === event.jobId ? statusSeq : []));
  if (event.statusSeq <= Math.max(state.moves[event.jobId]?.statusSeq ?? -1, ...seqs)) return state;
  const job = state.current?.job;
  return {
    ...state,
    moves: { ...state.moves, [event.jobId]: event },
    jobs: state.jobs.map((row) => moved(row, event)),
    current: state.current && job ? { ...state.current, job: moved(job, event) } : state.current,
  };
}

/**
 * Replaces signed URLs with those already known for the same file, unless the known URLs are too old. Also returns the
 * updated map of known URLs.
 */
export function withKnownUrls(urls: Record<string, KnownUrls>, variants: Variant[], at: number) {
  const next = { ...urls };
  const kept = variants.map((variant) => {
    const known = next[variant.path];
    if (known?.url && at - known.readAt < URL_KEEP_MS) {
      return { ...variant, url: known.url, thumb_url: known.thumb_url };
    }
    next[variant.path] = { url: variant.url, thumb_url: variant.thumb_url, readAt: at };
    return variant;
  });
  return { urls: next, variants: kept };
}
