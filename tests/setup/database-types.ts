import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Generates TypeScript types for the public schema of a migrated database with the Supabase CLI, in the project's code
 * style.
 */
export function generateDatabaseTypes(databaseUrl: string): string {
  // The CLI writes files into its working folder, so it gets a temporary one.
  const workdir = mkdtempSync(join(tmpdir(), 'atelier-types-'));
  try {
    const output = execFileSync(
      'node_modules/.bin/supabase',
      ['gen', 'types', `--remote=${databaseUrl}`, '--schema', 'public', '--workdir', workdir],
      {
        env: { ...process.env, SUPABASE_TELEMETRY_DISABLED: '1' },
        maxBuffer: 16 << 20,
        encoding: 'utf8',
        stdio: 'pipe',
      },
    );
    // The CLI prints connection messages before the types.
    const types = output.slice(output.indexOf('export type Json'));
    return execFileSync('node_modules/.bin/biome', ['format', '--stdin-file-path=types.ts'], {
      input: types,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  } finally {
    rmSync(workdir, { recursive: true, force: true });
  }
}
