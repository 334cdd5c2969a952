import { z } from 'zod';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';

const outcome = z.object({ outcome: z.enum(['renamed', 'not_found']) });

/** Names an image job, or removes its name if `name` is null. Throws `not_found`, `project_closed` or `unavailable`. */
export async function renameJob(jobId: string, name: string | null): Promise<void> {
  accepted(await callRpc('rename_image_job', { p_job: jobId, p_name: name ?? undefined }, outcome));
}
