import type { IncomingMessage } from 'node:http';
import type { Claims } from '@/supabase/local/backend/caller';
import { readJsonObject } from '@/supabase/local/backend/read-body';
import { json, type Reply } from '@/supabase/local/backend/reply';
import { refuse } from '@/supabase/local/backend/storage/storage-error';
import { asCaller, type StorageParts } from '@/supabase/local/backend/storage/storage-parts';

const UNITS: Record<string, number> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
};

/**
 * Converts a size such as 1000, '1MB' or '1MiB' to bytes. Returns null, which means the default limit of 50 MiB, for a
 * missing or empty value.
 */
function byteLimit(value: unknown): number | null {
  if (value === null || value === undefined || value === '') return null;
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(String(value)) ?? [];
  const factor = UNITS[unit.toLowerCase()];
  if (!amount || !factor)
    throw refuse.invalidRequest('Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B');
  return Math.round(Number(amount) * factor);
}

const stringList = (value: unknown) => (Array.isArray(value) ? value.map(String) : null);

/**
 * Handles /storage/v1/bucket under the caller's policies: lists, gets, creates, updates and deletes buckets. Throws
 * StorageError.
 */
export async function bucketRoute(
  parts: StorageParts,
  request: IncomingMessage,
  claims: Claims,
  [id, action]: string[],
): Promise<Reply> {
  const { method } = request;
  if (action === 'empty') throw refuse.unavailable('emptying a bucket');
  if (action) throw refuse.noRoute();
  if (method === 'GET') {
    const rows = await asCaller(parts, claims, id ? 'bucket.get' : 'bucket.list', (query) =>
      query('select * from storage.buckets where $1::text is null or id = $1 order by id', [id ?? null]),
    );
    if (id && !rows[0]) throw refuse.noSuchBucket();
    return json(id ? rows[0] : rows);
  }
  if (method === 'POST' && !id) {
    const body = await readJsonObject(request);
    const name = String(body.id ?? body.name ?? '');
    if (!/^[\w!\-.*'() &$@=;:+,?]{1,100}$/.test(name)) throw refuse.invalidRequest('Bucket name invalid');
    const values = [
      name,
      body.public === true,
      byteLimit(body.file_size_limit),
      stringList(body.allowed_mime_types),
      claims.sub ?? null,
    ];
    await asCaller(parts, claims, 'bucket.create', (query) =>
      query(
        `insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types, owner_id)
         values ($1, $1, $2, $3, $4, $5)`,
        values,
      ),
    );
    return json({ name });
  }
  if (method === 'PUT' && id) {
    const body = await readJsonObject(request);
    const rows = await asCaller(parts, claims, 'bucket.update', (query) =>
      query(
        `update storage.buckets set public = coalesce($2, public), updated_at = now(),
           file_size_limit = case when $3 then $4::bigint else file_size_limit end,
           allowed_mime_types = case when $5 then $6::text[] else allowed_mime_types end
         where id = $1 returning id`,
        [
          id,
          typeof body.public === 'boolean' ? body.public : null,
          'file_size_limit' in body,
          byteLimit(body.file_size_limit),
          'allowed_mime_types' in body,
          stringList(body.allowed_mime_types),
        ],
      ),
    );
    if (!rows[0]) throw refuse.noSuchBucket();
    return json({ message: 'Successfully updated' });
  }
  if (method === 'DELETE' && id) {
    const [object] = await parts.database.query(
      'select 1 from storage.objects where bucket_id = $1 limit 1',
      [id],
    );
    if (object) throw refuse.notEmpty();
    const rows = await asCaller(parts, claims, 'bucket.delete', async (query) => {
      await query("select set_config('storage.allow_delete_query', 'true', true)");
      return query('delete from storage.buckets where id = $1 returning id', [id]);
    });
    if (!rows[0]) throw refuse.noSuchBucket();
    return json({ message: 'Successfully deleted' });
  }
  throw refuse.noRoute();
}
