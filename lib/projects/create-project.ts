import { z } from 'zod';
import { uuid } from '@/lib/http/uuid';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import type { Project } from './schema';

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('created'), id: uuid, name: z.string(), created_at: z.string() }),
  z.object({ outcome: z.literal('idempotency_mismatch') }),
]);

/** Creates a project that the caller owns. Throws `idempotency_mismatch` or `unavailable`. */
export async function createProject(
  name: string,
  userId: string,
  idempotency: { key: string; bodySha256: string } | null,
): Promise<Project> {
  const args = {
    p_user: userId,
    p_name: name,
    p_idempotency_key: idempotency?.key,
    p_request_sha256: idempotency?.bodySha256,
  };
  const result = accepted(await callRpc('create_project', args, outcome));
  return { id: result.id, name: result.name, role: 'owner', createdAt: result.created_at, archivedAt: null };
}
