import type { IncomingMessage } from 'node:http';
import type { ChangeJson } from '@/supabase/local/backend/rest/pass-on';

/**
 * Makes an insert treat missing keys like PostgREST: with `?columns=…`, which supabase-js adds to a bulk insert, a
 * missing key is null unless `Prefer: missing=default` is set; @supabase/lite always uses the column's default.
 * Undefined for any other request.
 */
export function completeRows({ method, headers }: IncomingMessage, url: URL): ChangeJson | undefined {
  const columns = url.searchParams.get('columns');
  const isInsert = method === 'POST' && !url.pathname.startsWith('/rest/v1/rpc/');
  const usesDefaults = /\bmissing=default\b/.test(String(headers.prefer ?? ''));
  if (columns === null || !isInsert || usesDefaults) return undefined;
  const names = columns.split(',').map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  const nulls = Object.fromEntries(names.map((name) => [name, null]));
  const complete = (row: unknown) => (isRow(row) ? { ...nulls, ...row } : row);
  return (value) => (Array.isArray(value) ? value.map(complete) : complete(value));
}

function isRow(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
