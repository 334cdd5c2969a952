'use client';

import { useEffect, useState, useSyncExternalStore } from 'react';
import type { CreateJobPayload, ImageJob, ImageMessage, ImageStatus, Variant } from '@/lib/image-gen/schema';
import type { CreateSwapPayload } from '@/lib/image-gen/swaps/schema';
import type { ImageGenStart } from './image-gen/image-gen-state';
import { createImageJobs, type OwnSettings } from './image-gen/image-jobs';
import { type LiveState, useRealtimeTopic } from './use-realtime-topic';

const POLL_MS = 4_000;

export type ImageJobs = {
  projectId: string;
  jobs: ImageJob[];
  currentJob: ImageJob | null;
  /** The loaded messages of the current job, oldest first. */
  messages: ImageMessage[];
  /** The variants of `messages`. */
  variants: Variant[];
  hasEarlierMessages: boolean;
  /**
   * True if the jobs under the current filter or the conversation of the current job have not been read yet. Always
   * false if the last read failed.
   */
  isLoading: boolean;
  /** True if the jobs under the current filter have not been read yet, even if the last read failed. */
  isReadingJobs: boolean;
  /** True if the current job does not exist in this project, or if this user cannot see it. */
  isMissing: boolean;
  hasMoreJobs: boolean;
  /** The error of the last read; null after a success. */
  error: unknown;
  connection: LiveState;
  announcement: { text: string } | null;
  /**
   * Starts a job and returns it. If the job is in this project, makes it the current one. Concurrent calls with the
   * same payload start only one job.
   */
  createJob: (payload: CreateJobPayload) => Promise<ImageJob>;
  /** Starts a material swap and returns its id. Concurrent calls with the same payload start only one swap. */
  createSwap: (payload: CreateSwapPayload) => Promise<string>;
  /**
   * Sends the next prompt. It refines the given variant, or the latest variant if `variantId` is missing. For this
   * prompt only, `own` can replace the job's materials and options, and can add a mask.
   */
  sendMessage: (jobId: string, prompt: string, variantId?: string, own?: OwnSettings) => Promise<void>;
  cancelJob: (jobId: string) => Promise<void>;
  retryJob: (jobId: string) => Promise<void>;
  /**
   * Loads all jobs that match the filter, page by page. Rejects if a read fails. Rejects with an `AbortError` if the
   * component unmounts first.
   */
  fetchJobs: () => Promise<void>;
  /** Loads the next page of jobs. */
  fetchMoreJobs: () => Promise<void>;
  /** Makes a job the current one and loads its whole conversation, page by page. */
  fetchMessages: (jobId: string) => Promise<void>;
  /** Loads the page of messages before those already loaded. */
  fetchEarlierMessages: () => Promise<void>;
  /** Makes a job the current one and loads the end of its conversation; null selects none. */
  selectJob: (jobId: string | null) => void;
  /** Lists only jobs with this status; null lists all jobs. */
  filterJobs: (status: ImageStatus | null) => void;
  /** Refetches a job and all its loaded images. Use this after some images were starred, deleted or restored. */
  readImagesAgain: (jobId: string) => Promise<void>;
  /** Refetches everything to get new signed URLs. Use this when an image no longer loads. */
  renewUrls: () => void;
};

/**
 * Returns the image jobs of a project with live updates. `start` is the data that the server fetched for the first
 * render.
 */
export function useImageJobs(projectId: string, start?: ImageGenStart): ImageJobs {
  return useImageStore(projectId, (start) => createImageJobs(projectId, start), start);
}

/** Works like `useImageJobs`, but takes the state and the actions from the store that `create` returns. */
export function useImageStore<Store extends ReturnType<typeof createImageJobs>>(
  projectId: string,
  create: (start?: ImageGenStart) => Store,
  start?: ImageGenStart,
): Omit<ImageJobs, keyof Store['actions']> & Store['actions'] {
  const [gen, setGen] = useState(() => create(start));
  if (gen.projectId !== projectId) setGen(create());
  const state = useSyncExternalStore(gen.subscribe, gen.get, gen.get);
  useEffect(() => gen.open(), [gen]);

  const connection = useRealtimeTopic({
    topic: `project:${projectId}`,
    event: 'job',
    pollMs: POLL_MS,
    onEvent: gen.onBroadcast,
    onResync: gen.resync,
    isUnfinished: gen.isUnfinished,
  });

  const { jobs, jobsRead, nextCursor, current, error, announcement } = state;
  return {
    projectId,
    jobs,
    currentJob: current?.job ?? null,
    messages: current?.messages ?? noMessages,
    variants: current?.variants ?? noVariants,
    isLoading: error === null && (!jobsRead || current?.read === 'not-yet'),
    isReadingJobs: !jobsRead,
    isMissing: current?.read === 'missing',
    hasEarlierMessages: (current?.earlierCursor ?? null) !== null,
    hasMoreJobs: nextCursor !== null,
    error,
    connection,
    announcement,
    ...gen.actions,
  };
}

// These arrays are always the same objects, so that hooks that depend on them do not run on every render.
const noMessages: ImageMessage[] = [];
const noVariants: Variant[] = [];
