import type { IncomingMessage } from 'node:http';
import type { Claims } from '@/supabase/local/backend/caller';
import { readJsonObject } from '@/supabase/local/backend/read-body';
import { json, type Reply } from '@/supabase/local/backend/reply';
import { asCaller, type StorageParts } from '@/supabase/local/backend/storage/storage-parts';

const COLUMNS = ['name', 'created_at', 'updated_at', 'last_accessed_at'];

function wholeNumber(value: unknown, fallback: number, max: number): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? Math.min(value, max) : fallback;
}

/** Lists the visible files and folders directly under a prefix. Folders have null in every column except the name. */
export async function listObjects(
  parts: StorageParts,
  request: IncomingMessage,
  claims: Claims,
  bucketId: string,
): Promise<Reply> {
  const body = await readJsonObject(request);
  const sort = typeof body.sortBy === 'object' && body.sortBy ? (body.sortBy as Record<string, unknown>) : {};
  const column = COLUMNS.find((name) => name === sort.column) ?? 'name';
  const direction = sort.order === 'desc' ? 'desc' : 'asc';
  const prefix = typeof body.prefix === 'string' && body.prefix ? `${body.prefix.replace(/\/+$/, '')}/` : '';
  const search = typeof body.search === 'string' ? body.search.replace(/[\\%_]/g, '\\$&') : '';
  const rows = await asCaller(parts, claims, 'object.list', (query) =>
    query(
      `with below as (
         select *, substr(name, length($2) + 1) as rest from storage.objects
         where bucket_id = $1 and starts_with(name, $2)
       ), level as (
         select distinct split_part(rest, '/', 1) as name, null::uuid as id, null::timestamptz as updated_at,
           null::timestamptz as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata
         from below where strpos(rest, '/') > 0
         union all
         select rest, id, updated_at, created_at, last_accessed_at, metadata from below where strpos(rest, '/') = 0
       )
       select * from level where name ilike '%' || $3 || '%'
       order by ${column} ${direction}, name limit $4 offset $5`,
      [bucketId, prefix, search, wholeNumber(body.limit, 100, 1_000), wholeNumber(body.offset, 0, 1e9)],
    ),
  );
  return json(rows);
}
