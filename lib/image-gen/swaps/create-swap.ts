import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { missingRecord } from '@/lib/errors/missing-record';
import { uuid } from '@/lib/http/uuid';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import { maskError, maskOutcomes } from '../mask-outcomes';
import { refusePrivateImages } from '../refuse-private-images';
import { type createSwapBody, MARKED_REGION, swapPrompt, type swapStarted } from './schema';

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('created'), swap_id: uuid, job_ids: z.array(uuid) }),
  ...maskOutcomes,
  z.object({ outcome: z.enum(['not_found', 'idempotency_mismatch']) }),
]);

/** Random seeds are below this limit, because some image models accept only 31 bits. */
const MAX_SEED = 2 ** 31;

/**
 * Starts an image job for each material, or no jobs at all if one of them cannot be started. Throws
 * `idempotency_mismatch`, `invalid_request` for an unsuitable mask or an image URL in a private network, or `not_found`
 * if the image to start from is not in the project or was deleted.
 */
export async function createSwap(
  {
    projectId,
    variantId,
    where = MARKED_REGION,
    maskImageId,
    materials,
    options = {},
  }: z.output<typeof createSwapBody>,
  userId: string,
  idempotency: { key: string; bodySha256: string } | null,
): Promise<z.output<typeof swapStarted>> {
  refusePrivateImages(materials, 'materials');
  const result = accepted(
    await callRpc(
      'create_image_swap',
      {
        p_user: userId,
        p_project: projectId,
        p_variant: variantId,
        p_place: where,
        p_jobs: materials.map((material) => ({ prompt: swapPrompt(where, material), material })),
        // Make one image by default, because the grid shows one per material.
        p_options: { count: 1, ...options },
        p_random_seed: randomInt(MAX_SEED),
        p_mask_image_id: maskImageId,
        p_idempotency_key: idempotency?.key,
        p_request_sha256: idempotency?.bodySha256,
      },
      outcome,
    ),
    () => missingRecord(['variantId'], 'image of the project'),
  );
  if (result.outcome !== 'created') throw maskError(result, 'image');
  return { swapId: result.swap_id, jobIds: result.job_ids, status: 'queued' };
}
