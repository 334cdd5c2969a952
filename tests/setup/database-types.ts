import { execFileSync } from 'node:child_process';
import { generateTypescript, sortGeneratorMetadata } from '@supabase/postgrest-typegen/generation';
import { introspect } from '@supabase/postgrest-typegen/introspection';
import postgres from 'postgres';

/**
 * Generates TypeScript types for the public schema of a migrated database with the generator of `supabase gen types`,
 * in the project's code style.
 */
export async function generateDatabaseTypes(databaseUrl: string): Promise<string> {
  const sql = postgres(databaseUrl, { max: 1 });
  try {
    const query = async (text: string) => ({ rows: await sql.unsafe(text) });
    const metadata = await introspect({ query }, { includedSchemas: ['public'] });
    return await generateTypescript(sortGeneratorMetadata(metadata), {
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
