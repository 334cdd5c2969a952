import { z } from 'zod';
import { missingRecord } from '@/lib/errors/missing-record';
import { HttpError } from '@/lib/errors/problem';
import { uuid } from '@/lib/http/uuid';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import { maskError, maskOutcomes } from './mask-outcomes';
import { refusePrivateImages } from './refuse-private-images';
import { imageStatus, type sendMessageBody, type sentResponse } from './schema';

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('created'), message_id: uuid, run: z.int() }),
  z.object({ outcome: z.literal('conflict'), status: imageStatus }),
  z.object({ outcome: z.literal('variant_not_found') }),
  ...maskOutcomes,
  z.object({ outcome: z.enum(['not_found', 'idempotency_mismatch']) }),
]);

/**
 * Adds the next prompt to a job. The prompt refines the variant with the id `variantId`. Without `variantId`, it
 * refines the job's latest variant, if there is one. A job has only one run at a time. Throws `run_in_progress`,
 * `idempotency_mismatch`, `not_found` for an unknown variant, or `invalid_request` for an unsuitable mask or an image
 * URL in a private network.
 */
export async function sendMessage(
  message: z.output<typeof sendMessageBody>,
  userId: string,
  idempotency: { key: string; bodySha256: string } | null,
): Promise<z.output<typeof sentResponse>> {
  const { materialIds, materialPayload } = message;
  refusePrivateImages(materialPayload ?? []);
  // If the message contains either field, replace both. Otherwise the missing field would keep the job's value, which
  // describes other materials.
  const hasMaterials = materialIds !== undefined || materialPayload !== undefined;
  const result = accepted(
    await callRpc(
      'send_image_message',
      {
        p_user: userId,
        p_job: message.jobId,
        p_prompt: message.prompt,
        p_variant_id: message.variantId,
        p_material_ids: hasMaterials ? (materialIds ?? []) : undefined,
        p_material_payload: hasMaterials ? (materialPayload ?? []) : undefined,
        p_options: message.options,
        p_mask_image_id: message.maskImageId,
        p_idempotency_key: idempotency?.key,
        p_request_sha256: idempotency?.bodySha256,
      },
      outcome,
    ),
  );
  switch (result.outcome) {
    case 'created':
      return { jobId: message.jobId, messageId: result.message_id, run: result.run, status: 'queued' };
    case 'conflict':
      throw new HttpError('run_in_progress', `The last prompt is still ${result.status}.`, {
        members: { currentStatus: result.status },
      });
    case 'variant_not_found':
      throw missingRecord(['variantId'], 'variant of the job');
    default:
      throw maskError(result, 'variant');
  }
}
