import { randomUUID } from 'node:crypto';
import { codeOf } from '@/lib/errors/error-parts';
import type { Claims } from '@/supabase/local/backend/caller';
import { becomeCaller, type Database, type Query } from '@/supabase/local/backend/database';

/** What the policies on realtime.messages allow a caller to do on a private topic. */
export type ChannelAccess = { read: boolean; write: boolean; presence: boolean };

export const FULL_ACCESS: ChannelAccess = { read: true, write: true, presence: true };

class RolledBack extends Error {}

const PROBE = `insert into realtime.messages (id, topic, extension, event, payload, private)
  values ($1, $2, $3, 'probe', '{}', true)`;

async function mayInsert(query: Query, topic: string, extension: string): Promise<boolean> {
  await query('savepoint probe');
  try {
    await query(PROBE, [randomUUID(), topic, extension]);
    return true;
  } catch (error) {
    if (codeOf(error) !== '42501') throw error;
    return false;
  } finally {
    await query('rollback to savepoint probe');
  }
}

/**
 * Returns what the policies allow the caller to do on the topic. Finds out by trying, as hosted Supabase does. The
 * function sets the value of realtime.topic(), tries to select and insert messages of the topic as the caller, and
 * always rolls back the transaction.
 */
export async function channelAccess(
  database: Database,
  claims: Claims,
  topic: string,
): Promise<ChannelAccess> {
  if (claims.role === 'service_role') return FULL_ACCESS;
  const access: ChannelAccess = { read: false, write: false, presence: false };
  try {
    await database.transaction(async (query) => {
      const id = randomUUID();
      await query("select set_config('realtime.topic', $1, true)", [topic]);
      await query(PROBE, [id, topic, 'broadcast']);
      await becomeCaller(query, claims, '');
      access.read = (await query('select 1 from realtime.messages where id = $1', [id])).length > 0;
      access.write = await mayInsert(query, topic, 'broadcast');
      access.presence = await mayInsert(query, topic, 'presence');
      throw new RolledBack();
    });
  } catch (error) {
    // 42501 means that the role lacks a privilege on the table or on something that its SELECT policies use.
    if (!(error instanceof RolledBack) && codeOf(error) !== '42501') throw error;
  }
  return access;
}
