import type { SupabaseClient } from '@supabase/supabase-js';
import { readJob } from './image-gen-calls';
import type { ImageGenStart } from './image-gen-state';
import { createImageJobs } from './image-jobs';
import { createJobSubscriptions } from './job-subscriptions';

/** Works like `createImageJobs`, and adds the action `subscribeToJob`. */
export function createImageGen(projectId: string, client: () => SupabaseClient, start?: ImageGenStart) {
  const subscriptions = createJobSubscriptions(client, readJob);
  const { actions, ...rest } = createImageJobs(projectId, start, subscriptions);
  return { ...rest, actions: { ...actions, subscribeToJob: subscriptions.subscribe } };
}
