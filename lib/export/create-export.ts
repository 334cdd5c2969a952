import { createHash } from 'node:crypto';
import { z } from 'zod';
import { HttpError } from '@/lib/http/problem';
import { uuid } from '@/lib/http/uuid';
import { adminTransfers } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import type { Db } from '@/lib/supabase/request';
import { requireKeepable } from './save-document';
import { type exportBody, printOptions } from './schema';
import { requireImages, takeSnapshot } from './snapshot';

/** Increase this when documents look different, so that files made before are not reused. */
const LOOKS = 2;

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('created'), job_id: uuid }),
  z.object({ outcome: z.literal('idempotency_mismatch') }),
]);

/**
 * Starts an export of the current pages; later saves do not change it. The work item is written in the same transaction.
 * Throws `invalid_request` for images that the project does not have, `not_found`, `too_large` or `idempotency_mismatch`.
 */
export async function createExport(
  db: Db,
  { projectId, options: choices, ...given }: z.output<typeof exportBody>,
  userId: string,
  idempotency: { key: string; bodySha256: string } | null,
): Promise<{ jobId: string; status: 'processing' }> {
  requireKeepable(given.pages);
  const snapshot = await takeSnapshot(db, projectId, given);
  const options = printOptions(choices, snapshot);
  requireImages(snapshot, options);
  const input = JSON.stringify([LOOKS, options, snapshot]);
  const result = outcome.parse(
    dataOf(
      await adminTransfers().rpc('create_export_job', {
        p_user: userId,
        p_project: projectId,
        p_options: options,
        p_snapshot: snapshot,
        p_input_sha256: createHash('sha256').update(input).digest('hex'),
        p_idempotency_key: idempotency?.key,
        p_request_sha256: idempotency?.bodySha256,
      }),
    ),
  );
  if (result.outcome === 'idempotency_mismatch') throw new HttpError('idempotency_mismatch');
  return { jobId: result.job_id, status: 'processing' };
}
