import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import { uuid } from '@/lib/http/uuid';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import type { Project } from './schema';

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('created'), id: uuid, name: z.string(), created_at: z.string() }),
  z.object({ outcome: z.literal('idempotency_mismatch') }),
]);

/** Creates a project that the caller owns. Throws `idempotency_mismatch`. */
export async function createProject(
  name: string,
  userId: string,
  idempotency: { key: string; bodySha256: string } | null,
): Promise<Project> {
  const result = outcome.parse(
    dataOf(
      await adminDb().rpc('create_project', {
        p_user: userId,
        p_name: name,
        p_idempotency_key: idempotency?.key,
        p_request_sha256: idempotency?.bodySha256,
      }),
    ),
  );
  if (result.outcome === 'idempotency_mismatch') throw new HttpError('idempotency_mismatch');
  return { id: result.id, name: result.name, role: 'owner', createdAt: result.created_at };
}
