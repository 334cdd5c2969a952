import type { PostgresConnection } from '@supabase/lite/postgres';
import { sql } from 'kysely';

/**
 * Lets a client pass an object for a function argument whose type is the row type of a table or view, as PostgREST
 * does. With lite alone, Postgres would receive the text `[object Object]`.
 */
export function acceptRowArguments(connection: PostgresConnection, exposed: string): void {
  const onPostgrestAST = connection.onPostgrestAST.bind(connection);
  connection.onPostgrestAST = async (sent) => {
    const ast = await onPostgrestAST(sent);
    const { args } = ast;
    if (ast.type !== 'rpc' || !args || Array.isArray(args)) return ast;
    if (!Object.values(args).some(isObject)) return ast;
    const { functions = [], tables, views } = await connection.introspect({ useCache: true });
    const rowTypes = new Set(
      [...tables, ...views].flatMap(({ schema, name }) => [name, `${schema}.${name}`]),
    );
    const names = Object.keys(args);
    const called = functions.filter(
      ({ schema, name, arg_names }) =>
        schema === exposed && name === ast.function && names.every((arg) => arg_names.includes(arg)),
    );
    const converted = Object.entries(args).map(([name, value]) => {
      const types = new Set(called.map(({ arg_names, arg_types }) => arg_types[arg_names.indexOf(name)]));
      const [type] = types;
      if (!isObject(value) || !type || types.size > 1 || !rowTypes.has(type)) return [name, value];
      const row = sql`pg_catalog.jsonb_populate_record(null::${sql.raw(type)}, ${JSON.stringify(value)}::jsonb)`;
      return [name, row];
    });
    return { ...ast, args: Object.fromEntries(converted) };
  };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
