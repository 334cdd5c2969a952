import { z } from 'zod';
import { HttpError } from '@/lib/http/problem';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import type { createJobBody } from './schema';

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('created'), job_id: z.uuid() }),
  z.object({ outcome: z.literal('image_not_found') }),
  z.object({ outcome: z.literal('idempotency_mismatch') }),
]);

/**
 * Starts an image job: its first prompt is run 1, and the trigger is written in the same transaction.
 * Throws `not_found` for an input image that the project does not have, or `idempotency_mismatch`.
 */
export async function createJob(
  payload: z.output<typeof createJobBody>,
  userId: string,
  idempotency: { key: string; bodySha256: string } | null,
): Promise<{ jobId: string; status: 'queued' }> {
  const result = outcome.parse(
    dataOf(
      await adminDb().rpc('create_image_job', {
        p_user: userId,
        p_project: payload.projectId,
        p_prompt: payload.prompt,
        p_input_image_id: payload.inputImageId,
        p_input_image_path: payload.inputImagePath,
        p_page_id: payload.pageId,
        p_material_ids: payload.materialIds,
        p_material_payload: payload.materialPayload,
        p_options: payload.options,
        p_idempotency_key: idempotency?.key,
        p_request_sha256: idempotency?.bodySha256,
      }),
    ),
  );
  if (result.outcome === 'idempotency_mismatch') throw new HttpError('idempotency_mismatch');
  if (result.outcome === 'image_not_found') throw new HttpError('not_found');
  return { jobId: result.job_id, status: 'queued' };
}
