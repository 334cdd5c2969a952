import type { IncomingMessage } from 'node:http';
import type { PostgresConnection } from '@supabase/lite/postgres';
import type { ChangeJson } from '@/supabase/local/backend/rest/pass-on';

/**
 * For an insert with `?columns=…`, which supabase-js adds to a bulk insert, returns a function that sets the missing
 * keys of each row to null, as PostgREST does. By itself, lite would use the columns' defaults. Returns undefined for
 * any other request, and for an insert with `Prefer: missing=default`, which asks for the defaults.
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

/**
 * Makes a bulk upsert with `Prefer: missing=default` update every column that any of its rows contains, as PostgREST
 * does. By itself, lite updates only the columns of the first row and keeps the old values of the other columns.
 */
export function updateAllColumns(connection: PostgresConnection, usesDefaults: () => boolean): void {
  const onPostgrestAST = connection.onPostgrestAST.bind(connection);
  connection.onPostgrestAST = async (sent) => {
    const ast = await onPostgrestAST(sent);
    if (ast.type !== 'upsert' || !Array.isArray(ast.values) || !usesDefaults()) return ast;
    const [first, ...others] = ast.values;
    if (!isRow(first) || !others.every(isRow)) return ast;
    const missing = others.flatMap(Object.keys).filter((name) => !ast.onConflict?.includes(name));
    // An undefined value is written as DEFAULT.
    const defaults = Object.fromEntries(missing.map((name) => [name, undefined]));
    return { ...ast, values: [{ ...defaults, ...first }, ...others] };
  };
}

function isRow(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
