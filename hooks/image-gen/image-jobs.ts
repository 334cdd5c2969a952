import type { CreateJobPayload, SendMessagePayload } from '@/lib/image-gen/schema';
import type { CreateSwapPayload } from '@/lib/image-gen/swaps/schema';
import { createReducerStore } from '../reducer-store';
import { createSubmitOnce } from '../submit-once';
import { createConversation } from './conversation';
import { postJob, postJobCancel, postMessage, postRetry, postSwap } from './image-gen-calls';
import { type ImageGenStart, imageGenReducer, isUnderWay, jobEvent, openImageGen } from './image-gen-state';
import { createJobList } from './job-list';

/** Settings of a single refinement: materials and options that replace the job's, and a mask. */
export type OwnSettings = Pick<
  SendMessagePayload,
  'materialIds' | 'materialPayload' | 'options' | 'maskImageId'
>;

/** Subscriptions to single jobs. The store's `resync` also resyncs them. The function that `open` returns ends them. */
type Subscriptions = { resync: () => void; hasUnfinished: () => boolean; endAll: () => void };

/** Creates the state of a project's image jobs, held outside React, and the functions that read or change it. */
export function createImageJobs(projectId: string, start?: ImageGenStart, subscriptions?: Subscriptions) {
  const store = createReducerStore(imageGenReducer, openImageGen(start, Date.now()));
  const { get, subscribe, dispatch } = store;
  const jobs = createJobList(store, projectId);
  const conversation = createConversation(store, projectId);
  const submitOnce = createSubmitOnce();

  const isCurrent = (jobId: string) => get().current?.jobId === jobId;
  const readAgain = async (jobId: string) => {
    jobs.readSoon(jobId);
    if (isCurrent(jobId)) await conversation.read();
  };

  return {
    projectId,
    get,
    subscribe,
    /**
     * Fetches the data that is not loaded yet. Returns a function that aborts reads, except those of further pages, and
     * ends the subscriptions to single jobs.
     */
    open: () => {
      const { jobsRead, current } = get();
      if (!jobsRead) void jobs.read();
      if (current && current.read !== 'done') void conversation.read();
      return () => {
        jobs.stop();
        conversation.stop();
        subscriptions?.endAll();
      };
    },
    /** Handles the payload of a `job` broadcast on the project's topic. Ignores an invalid payload. */
    onBroadcast: (payload: unknown) => {
      const event = jobEvent.safeParse(payload).data;
      if (!event) return;
      const currentJob = get().current?.job;
      jobs.apply(event);
      if (!isCurrent(event.jobId)) return;
      // A new status, run or progress concerns only the last prompt. Any other change, such as the deletion of an
      // image, can concern any prompt.
      const isOfRun =
        currentJob?.status !== event.status ||
        currentJob.run !== event.run ||
        currentJob.progress !== event.progress;
      void (isOfRun ? conversation.read() : conversation.renew());
    },
    resync: () => {
      void jobs.resync();
      // A missed broadcast can concern any prompt, so read all shown prompts again.
      void conversation.renew();
      subscriptions?.resync();
    },
    isUnfinished: () => {
      const { jobs, current } = get();
      return (
        [...jobs, current?.job].some((job) => job && isUnderWay(job.status)) ||
        (subscriptions?.hasUnfinished() ?? false)
      );
    },
    actions: {
      createJob: (payload: CreateJobPayload) =>
        submitOnce(`job ${JSON.stringify(payload)}`, async (key) => {
          const job = await postJob(payload, key);
          if (payload.projectId === projectId) {
            dispatch({ type: 'job-read', job, at: Date.now() });
            conversation.selectJob(job.jobId);
          }
          return job;
        }),
      createSwap: (payload: CreateSwapPayload) =>
        submitOnce(`swap ${JSON.stringify(payload)}`, async (key) => {
          const swapId = await postSwap(payload, key);
          void jobs.read();
          return swapId;
        }),
      sendMessage: (jobId: string, prompt: string, variantId?: string, own: OwnSettings = {}) => {
        const message = { jobId, prompt, variantId, ...own };
        return submitOnce(`message ${JSON.stringify(message)}`, async (key) => {
          // Read the job even after an error, because the job may have changed and the page should show that.
          await postMessage(message, key).finally(() => readAgain(jobId));
        });
      },
      cancelJob: (jobId: string) =>
        submitOnce(`cancel ${jobId}`, async () => {
          const job = await postJobCancel(jobId).finally(() => readAgain(jobId));
          dispatch({ type: 'job-read', job, at: Date.now() });
        }),
      retryJob: (jobId: string) =>
        submitOnce(`retry ${jobId}`, async () => {
          await postRetry(jobId).finally(() => readAgain(jobId));
        }),
      fetchJobs: jobs.fetchJobs,
      fetchMoreJobs: jobs.fetchMoreJobs,
      filterJobs: jobs.filterJobs,
      fetchMessages: conversation.fetchMessages,
      fetchEarlierMessages: conversation.fetchEarlierMessages,
      selectJob: conversation.selectJob,
      readImagesAgain: async (jobId: string) => {
        jobs.readSoon(jobId);
        if (isCurrent(jobId)) await conversation.renew();
      },
      renewUrls: () => {
        dispatch({ type: 'urls-expired' });
        void jobs.renew();
        void conversation.renew();
      },
    },
  };
}
