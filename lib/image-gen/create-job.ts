import { z } from 'zod';
import { missingRecord } from '@/lib/errors/missing-record';
import { uuid } from '@/lib/http/uuid';
import { imagePathOf } from '@/lib/storage/keys';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import { refusePrivateImages } from './refuse-private-images';
import type { createJobBody } from './schema';

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('created'), job_id: uuid }),
  z.object({ outcome: z.literal('image_not_found') }),
  z.object({ outcome: z.literal('idempotency_mismatch') }),
]);

/**
 * Creates an image job with its first prompt and run 1. The same transaction creates the work item that dispatches the
 * run. Throws `idempotency_mismatch`, `invalid_request` for an image URL in a private network, or `not_found` for an
 * input image that is not in the project or was deleted.
 */
export async function createJob(
  payload: z.output<typeof createJobBody>,
  userId: string,
  idempotency: { key: string; bodySha256: string } | null,
): Promise<{ jobId: string; status: 'queued' }> {
  refusePrivateImages(payload.materialPayload ?? []);
  const inputImageId = uuid.safeParse(payload.inputImageId).data;
  const inputImagePath = payload.inputImagePath && imagePathOf(payload.inputImagePath);
  const isUnknownId = payload.inputImageId !== undefined && inputImageId === undefined;
  const result = accepted(
    await callRpc(
      'create_image_job',
      {
        p_user: userId,
        p_project: payload.projectId,
        p_prompt: payload.prompt,
        p_input_image_id: inputImageId,
        // An id that is not a UUID names no image, and neither does an empty path.
        p_input_image_path: inputImagePath ?? (isUnknownId ? '' : undefined),
        p_page_id: payload.pageId,
        p_material_ids: payload.materialIds,
        p_material_payload: payload.materialPayload,
        p_options: payload.options,
        p_idempotency_key: idempotency?.key,
        p_request_sha256: idempotency?.bodySha256,
      },
      outcome,
    ),
  );
  if (result.outcome === 'image_not_found') {
    const given = (['inputImageId', 'inputImagePath'] as const).filter((field) => payload[field]);
    throw missingRecord(given, 'image of the project');
  }
  return { jobId: result.job_id, status: 'queued' };
}
