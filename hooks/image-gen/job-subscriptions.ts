import type { RealtimeChannel, SupabaseClient } from '@supabase/supabase-js';
import { listenToTopic } from '../realtime-topics';
import { isUnderWay, type JobEvent, jobEvent } from './image-gen-state';

type Subscription = { read: () => void; isUnfinished: () => boolean; end: () => void };

/** Creates subscriptions to single jobs, with one channel per job. `readJob` returns the current state of a job. */
export function createJobSubscriptions(
  client: () => SupabaseClient,
  readJob: (jobId: string) => Promise<JobEvent>,
) {
  const subscriptions = new Set<Subscription>();

  /**
   * Calls `callback` with a job's state after each broadcast or read, if the state is newer than the last one reported.
   */
  function subscribe(jobId: string, callback: (event: JobEvent) => void): RealtimeChannel {
    let newest: JobEvent | null = null;
    let ended = false;
    const notify = ({ jobId, status, statusSeq, run, progress }: JobEvent) => {
      // After the channel is unsubscribed, report nothing more, not even from reads.
      if (ended || !isOpen() || statusSeq <= (newest?.statusSeq ?? -1)) return;
      newest = { jobId, status, statusSeq, run, progress };
      callback(newest);
    };
    // Ignore a failed read, because the next event or read makes up for it.
    const read = () => void readJob(jobId).then(notify, () => undefined);
    const { channel, isOpen, stop } = listenToTopic(client(), `image-job:${jobId}`, {
      event: 'job',
      onEvent: (payload) => {
        const event = jobEvent.safeParse(payload);
        if (event.success) notify(event.data);
      },
      // Broadcasts are never replayed, so read the job to find missed changes.
      onJoined: (joined) => {
        if (joined) read();
      },
    });
    subscriptions.add({
      read: () => {
        if (isOpen()) read();
      },
      isUnfinished: () => isOpen() && (newest === null || isUnderWay(newest.status)),
      end: () => {
        ended = true;
        stop();
      },
    });
    return channel;
  }

  return {
    subscribe,
    /** Reads every subscribed job again, because a lost broadcast is never repeated. */
    resync: () => {
      for (const { read } of subscriptions) read();
    },
    hasUnfinished: () => [...subscriptions].some(({ isUnfinished }) => isUnfinished()),
    endAll: () => {
      for (const { end } of subscriptions) end();
      subscriptions.clear();
    },
  };
}
