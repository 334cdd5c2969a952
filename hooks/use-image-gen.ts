'use client';

import type { RealtimeChannel } from '@supabase/supabase-js';
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import {
  JOBS_PAGE,
  MESSAGES_PAGE,
  postCancel,
  postJob,
  postMessage,
  postRetry,
  readConversation,
  readJob,
  readJobsPage,
  readMessagesPage,
} from '@/components/studio/image-gen-calls';
import {
  type ImageGenStart,
  type ImageGenState,
  imageGenReducer,
  type JobEvent,
  openImageGen,
} from '@/components/studio/image-gen-state';
import { isUnderWay } from '@/components/studio/runs';
import { ApiError } from '@/lib/http/client';
import type { CreateJobPayload, ImageJob, ImageMessage, ImageStatus, Variant } from '@/lib/image-gen/schema';
import { browserClient } from '@/lib/supabase/browser';
import { coalesced } from './coalesced';
import { createDueRun } from './due-run';
import { createJobSubscriptions, jobEvent } from './job-subscriptions';
import { createJobsReader } from './jobs-reader';
import { createSubmitOnce } from './submit-once';
import { usePublicConfig } from './use-public-config';
import { type LiveState, useRealtimeTopic } from './use-realtime-topic';

const POLL_MS = 4_000;
const SETTLE_MS = 250;
/** Progress is in the broadcast itself, so the jobs are read only for notes and times. */
const PROGRESS_MS = 5_000;

export type ImageGen = {
  jobs: ImageJob[];
  currentJob: ImageJob | null;
  /** The loaded messages of the current job and their variants; oldest first. */
  messages: ImageMessage[];
  variants: Variant[];
  hasEarlierMessages: boolean;
  /** True until the jobs, and the conversation of the current job, have been read once. */
  isLoading: boolean;
  /** True until the jobs have been read, initially or after `filterJobs`. */
  isReadingJobs: boolean;
  /** The current job does not exist, or this user cannot see it. */
  isMissing: boolean;
  hasMoreJobs: boolean;
  /** The error of the last read; null after a success. */
  error: unknown;
  connection: LiveState;
  announcement: { text: string } | null;
  /** Starts a job, makes it the current one and returns it. The same payload twice at once is one job. */
  createJob: (payload: CreateJobPayload) => Promise<ImageJob>;
  /** Sends the next prompt, based on this variant or else the latest. */
  sendMessage: (jobId: string, prompt: string, variantId?: string) => Promise<void>;
  cancelJob: (jobId: string) => Promise<void>;
  retryJob: (jobId: string) => Promise<void>;
  /** Loads all jobs of the project, in pages. Rejects if they cannot be loaded, or with `AbortError` on unmount. */
  fetchJobs: () => Promise<void>;
  /** Loads the next page of jobs. */
  fetchMoreJobs: () => Promise<void>;
  /** Makes a job the current one and loads its whole conversation, page by page. */
  fetchMessages: (jobId: string) => Promise<void>;
  /** Loads the page before the loaded messages. */
  fetchEarlierMessages: () => Promise<void>;
  /** Makes a job the current one and loads the end of its conversation; null selects none. */
  selectJob: (jobId: string | null) => void;
  /** Lists only jobs with this status; null lists all. */
  filterJobs: (status: ImageStatus | null) => void;
  /** Reads everything again with new signed URLs, for when an image no longer loads. */
  renewUrls: () => void;
  /**
   * Calls `callback` with each change of a job, from a broadcast or from polling, and with its state after each
   * (re)connection; drops outdated changes. Unsubscribe the channel to stop; the hook does so when it unmounts. Further
   * calls for the same job return the same channel.
   */
  subscribeToJob: (jobId: string, callback: (event: JobEvent) => void) => RealtimeChannel;
};

/** The image jobs of a project with live updates. `start` is the data that the server has read for the first render. */
export function useImageGen(projectId: string, start?: ImageGenStart): ImageGen {
  const [stored, dispatch] = useReducer(imageGenReducer, null, () =>
    openImageGen(projectId, start, Date.now()),
  );
  // Until the reducer has followed, do not show another project's data.
  const state = stored.projectId === projectId ? stored : openImageGen(projectId);
  const { current } = state;
  /** What is currently requested; the state follows with the responses. */
  const target = useRef({ projectId, status: state.status, jobId: current?.jobId ?? null });
  if (target.current.projectId !== projectId) target.current = { projectId, status: null, jobId: null };
  const shown = useRef(noJobs);
  shown.current = state.jobsRead ? { jobs: state.jobs, nextCursor: state.nextCursor } : noJobs;
  const config = usePublicConfig();
  const subscriptions = useMemo(() => createJobSubscriptions(() => browserClient(config), readJob), [config]);
  const [submitOnce] = useState(createSubmitOnce);

  /** How many messages the next read brings, if more than the end of the chat. */
  const wantedMessages = useRef(0);
  const earlierShown = useRef({ count: 0, cursor: null as string | null });
  earlierShown.current = { count: current?.messages.length ?? 0, cursor: current?.earlierCursor ?? null };

  const readers = useMemo(() => {
    const jobs = createJobsReader({
      query: () => ({ projectId: target.current.projectId, status: target.current.status }),
      shown: () => shown.current.jobs,
      onPage: ({ projectId, status }, response) =>
        dispatch({ type: 'jobsRead', projectId, status, response, at: Date.now() }),
      onOlderJobs: ({ projectId, status }, jobs) =>
        dispatch({ type: 'olderJobsRead', projectId, status, jobs, at: Date.now() }),
      onError: ({ projectId }, error) => dispatch({ type: 'readFailed', projectId, error }),
    });
    const chat = coalesced(async (signal) => {
      const { projectId, jobId } = target.current;
      if (!jobId) return;
      const count = wantedMessages.current;
      wantedMessages.current = 0;
      try {
        const conversation = await readConversation(jobId, count, signal);
        // The URL may contain a job of another project.
        if (conversation.job.projectId !== projectId) {
          dispatch({ type: 'conversationMissing', projectId, jobId });
        } else {
          dispatch({ type: 'conversationRead', projectId, conversation, at: Date.now() });
        }
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof ApiError && error.status === 404) {
          dispatch({ type: 'conversationMissing', projectId, jobId });
        } else {
          dispatch({ type: 'readFailed', projectId, error });
        }
      }
    });
    return { jobs, chat };
  }, []);

  // Many jobs often change at once, so wait until they have settled and read them once.
  const readJobs = useMemo(() => createDueRun(() => void readers.jobs.run()), [readers]);

  const read = useRef({ jobs: false, jobId: null as string | null });
  read.current = { jobs: state.jobsRead, jobId: current?.read === 'done' ? current.jobId : null };
  useEffect(() => {
    dispatch({ type: 'opened', projectId });
    if (!read.current.jobs) void readers.jobs.run();
    if (read.current.jobId !== target.current.jobId) void readers.chat.run();
    return () => {
      readJobs.cancel();
      readers.jobs.stop();
      readers.chat.stop();
      subscriptions.endAll();
    };
  }, [projectId, readers, readJobs, subscriptions]);

  const connection = useRealtimeTopic({
    topic: `project:${projectId}`,
    event: 'job',
    pollMs: POLL_MS,
    onEvent: (payload) => {
      const event = jobEvent.safeParse(payload);
      if (!event.success) return;
      dispatch({ type: 'event', projectId, event: event.data });
      if (event.data.jobId === target.current.jobId) void readers.chat.run();
      const { jobId, status, progress } = event.data;
      readers.jobs.changed(jobId, status);
      const known = shown.current.jobs.find((job) => job.jobId === jobId);
      const isOnlyProgress = progress !== null && (!known || known.status === status);
      readJobs.within(isOnlyProgress ? PROGRESS_MS : SETTLE_MS);
    },
    onResync: () => {
      void readers.jobs.resync();
      void readers.chat.run();
      subscriptions.resync();
    },
    isUnfinished: () =>
      [...state.jobs, current?.job].some((job) => job && isUnderWay(job.status)) ||
      subscriptions.hasUnfinished(),
  });

  const selectJob = useCallback(
    (jobId: string | null) => {
      if (target.current.jobId === jobId) return;
      target.current = { ...target.current, jobId };
      dispatch({ type: 'selected', projectId: target.current.projectId, jobId });
      readers.chat.stop();
      void readers.chat.run();
    },
    [readers],
  );

  const filterJobs = useCallback(
    (status: ImageStatus | null) => {
      if (target.current.status === status) return;
      target.current = { ...target.current, status };
      shown.current = noJobs;
      dispatch({ type: 'filtered', projectId: target.current.projectId, status });
      void readers.jobs.restart();
    },
    [readers],
  );

  const fetchJobs = useCallback(() => readers.jobs.readAll(), [readers]);

  const fetchMoreJobs = useCallback(async () => {
    const { projectId, status } = target.current;
    const cursor = shown.current.nextCursor;
    if (!cursor) return;
    try {
      const response = await readJobsPage({ projectId, status }, JOBS_PAGE, cursor);
      dispatch({ type: 'jobsExtended', projectId, status, cursor, response, at: Date.now() });
    } catch (error) {
      dispatch({ type: 'readFailed', projectId, error });
    }
  }, []);

  const fetchMessages = useCallback(
    (jobId: string) => {
      wantedMessages.current = Number.POSITIVE_INFINITY;
      selectJob(jobId);
      return readers.chat.run();
    },
    [readers, selectJob],
  );

  const fetchEarlierMessages = useCallback(async () => {
    const { projectId, jobId } = target.current;
    const { cursor } = earlierShown.current;
    if (!jobId || !cursor) return;
    try {
      const page = await readMessagesPage(jobId, MESSAGES_PAGE, cursor);
      dispatch({ type: 'conversationExtended', projectId, jobId, page, at: Date.now() });
    } catch (error) {
      dispatch({ type: 'readFailed', projectId, error });
    }
  }, []);

  const createJob = useCallback(
    (payload: CreateJobPayload) =>
      submitOnce(`job ${JSON.stringify(payload)}`, async (key) => {
        const job = await postJob(payload, key);
        if (target.current.projectId === payload.projectId) {
          dispatch({ type: 'jobRead', projectId: payload.projectId, job, at: Date.now() });
          selectJob(job.jobId);
        }
        return job;
      }),
    [submitOnce, selectJob],
  );

  const readAgain = useCallback(
    async (jobId: string) => {
      readers.jobs.changed(jobId, null);
      readJobs.within(SETTLE_MS);
      if (target.current.jobId === jobId) await readers.chat.run();
    },
    [readers, readJobs],
  );

  const sendMessage = useCallback(
    (jobId: string, prompt: string, variantId?: string) =>
      submitOnce(`message ${JSON.stringify([jobId, prompt, variantId])}`, async (key) => {
        // Also after an error: the job may have changed, and the page should show it.
        await postMessage({ jobId, prompt, variantId }, key).finally(() => readAgain(jobId));
      }),
    [submitOnce, readAgain],
  );

  const cancelJob = useCallback(
    (jobId: string) =>
      submitOnce(`cancel ${jobId}`, async () => {
        const { projectId } = target.current;
        const job = await postCancel(jobId).finally(() => readAgain(jobId));
        dispatch({ type: 'jobRead', projectId, job, at: Date.now() });
      }),
    [submitOnce, readAgain],
  );

  const retryJob = useCallback(
    (jobId: string) =>
      submitOnce(`retry ${jobId}`, async () => {
        await postRetry(jobId).finally(() => readAgain(jobId));
      }),
    [submitOnce, readAgain],
  );

  const renewUrls = useCallback(() => {
    dispatch({ type: 'urlsExpired', projectId: target.current.projectId });
    wantedMessages.current = earlierShown.current.count;
    void readers.jobs.renew();
    void readers.chat.run();
  }, [readers]);

  return {
    jobs: state.jobs,
    currentJob: current?.job ?? null,
    messages: current?.messages ?? noMessages,
    variants: current?.variants ?? noVariants,
    isLoading: state.error === null && (!state.jobsRead || current?.read === 'not-yet'),
    isReadingJobs: !state.jobsRead,
    isMissing: current?.read === 'missing',
    hasEarlierMessages: (current?.earlierCursor ?? null) !== null,
    hasMoreJobs: state.nextCursor !== null,
    error: state.error,
    connection,
    announcement: state.announcement,
    createJob,
    sendMessage,
    cancelJob,
    retryJob,
    fetchJobs,
    fetchMoreJobs,
    fetchMessages,
    fetchEarlierMessages,
    selectJob,
    filterJobs,
    renewUrls,
    subscribeToJob: subscriptions.subscribe,
  };
}

const noJobs: Pick<ImageGenState, 'jobs' | 'nextCursor'> = { jobs: [], nextCursor: null };

// Constant arrays, so that dependents do not see a change.
const noMessages: ImageMessage[] = [];
const noVariants: Variant[] = [];
