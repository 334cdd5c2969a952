import { execFileSync } from 'node:child_process';
import { generateTypescript, sortGeneratorMetadata } from '@supabase/postgrest-typegen/generation';
import { introspect } from '@supabase/postgrest-typegen/introspection';
import postgres, { type Sql } from 'postgres';

/**
 * Generates TypeScript types for the public schema of a migrated database. Uses the generator of `supabase gen types`
 * and the project's code style.
 */
export async function generateDatabaseTypes(databaseUrl: string): Promise<string> {
  const sql = postgres(databaseUrl, { max: 1 });
  try {
    const query = async (text: string) => ({ rows: await sql.unsafe(text) });
    const metadata = await introspect({ query }, { includedSchemas: ['public'] });
    const required = await requiredViewColumns(sql);
    const columns = metadata.columns.map((column) =>
      required.has(`${column.table}.${column.name}`) ? { ...column, is_nullable: false } : column,
    );
    return await generateTypescript(sortGeneratorMetadata({ ...metadata, columns }), {
      detectOneToOneRelationships: true,
      format: async (code) =>
        execFileSync('node_modules/.bin/biome', ['format', '--stdin-file-path=types.ts'], {
          input: code,
          encoding: 'utf8',
          stdio: 'pipe',
        }),
    });
  } finally {
    await sql.end();
  }
}

/**
 * Returns the columns of public views that come from a `not null` column of a table, each as `view.column`. Postgres
 * and the generator treat every column of a view as nullable. However, when Postgres describes a view's query, it
 * reports the table column that each result column comes from. Throws an error if a view has an outer join, because the
 * join could add nulls.
 */
async function requiredViewColumns(sql: Sql): Promise<Set<string>> {
  const views = await sql<{ name: string; definition: string }[]>`
    select viewname as name, definition from pg_views where schemaname = 'public'`;
  const required = new Set<string>();
  for (const { name, definition } of views) {
    if (/\b(left|right|full)\b[^;]*\bjoin\b/i.test(definition)) {
      throw new Error(
        `The view ${name} has an outer join, so its columns may be null where the table's are not.`,
      );
    }
    const { columns } = await sql.unsafe(definition).describe();
    for (const { name: column, table, number } of columns) {
      const [source] = await sql<{ required: boolean }[]>`
        select attnotnull as required from pg_attribute where attrelid = ${table} and attnum = ${number}`;
      if (source?.required) required.add(`${name}.${column}`);
    }
  }
  return required;
}
