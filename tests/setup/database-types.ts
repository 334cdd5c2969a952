import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The TypeScript types of the public schema of a migrated database, by the Supabase CLI, in the project's format. */
export function generateDatabaseTypes(databaseUrl: string): string {
  // The CLI keeps notes beside the project it stands in: give it a place of its own.
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
    // The CLI speaks of its connection before the types.
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
