import type { SupabaseClient } from '@supabase/supabase-js';
import { readJob } from './image-gen-calls';
import type { ImageGenStart } from './image-gen-state';
import { createImageJobs } from './image-jobs';
import { createJobSubscriptions } from './job-subscriptions';

/** Creates what `createImageJobs` creates, plus subscriptions to single jobs. */
export function createImageGen(projectId: string, client: () => SupabaseClient, start?: ImageGenStart) {
  const subscriptions = createJobSubscriptions(client, readJob);
  const { actions, ...rest } = createImageJobs(projectId, start, subscriptions);
  return { ...rest, actions: { ...actions, subscribeToJob: subscriptions.subscribe } };
}
