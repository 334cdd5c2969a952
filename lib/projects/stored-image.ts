import { createHash } from 'node:crypto';
import { z } from 'zod';
import { uuid } from '@/lib/http/uuid';
import { signedUrls, VIEW_URL_S } from '@/lib/storage/objects';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import type { ProjectImage } from './schema';

/**
 * The database's response when an image is stored. A repeated idempotency key gets the first response again, unless the
 * request differs.
 */
export const storedImageOutcome = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('created'),
    id: uuid,
    path: z.string(),
    file_name: z.string(),
    width: z.int(),
    height: z.int(),
    created_at: z.string(),
  }),
  z.object({ outcome: z.literal('idempotency_mismatch') }),
]);
type StoredImageOutcome = z.output<typeof storedImageOutcome>;
const foundOutcome = z.union([storedImageOutcome, z.object({ outcome: z.literal('unused') })]);

/** Returns a hash of a request in hex, to detect an idempotency key that is reused for a different request. */
export function requestHash(projectId: string, content: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([projectId, ...content]))
    .digest('hex');
}

/** Returns the image in an outcome, with a signed URL. Throws `idempotency_mismatch` or `unavailable`. */
export async function projectImageOf(result: StoredImageOutcome): Promise<ProjectImage> {
  const image = accepted(result);
  const [url] = await signedUrls([image.path], VIEW_URL_S);
  return {
    id: image.id,
    path: image.path,
    url: url ?? null,
    width: image.width,
    height: image.height,
    fileName: image.file_name,
    createdAt: image.created_at,
  };
}

type Repeat = {
  projectId: string;
  userId: string;
  idempotency: { key: string; bodySha256: string } | null;
};

/**
 * Returns the image that an earlier call with this idempotency key stored. Returns null if there was no such call or if
 * this call has no key. Use it only for calls whose body identifies the image instead of containing it. Throws
 * `idempotency_mismatch` or `unavailable`.
 */
export async function findStoredImage({
  projectId,
  userId,
  idempotency,
}: Repeat): Promise<ProjectImage | null> {
  if (!idempotency) return null;
  const args = {
    p_user: userId,
    p_idempotency_key: idempotency.key,
    p_request_sha256: requestHash(projectId, [idempotency.bodySha256]),
  };
  const result = await callRpc('find_project_image', args, foundOutcome);
  return result.outcome === 'unused' ? null : projectImageOf(result);
}
