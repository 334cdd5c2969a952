import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBackend } from '@/supabase/local/backend/start';
import { generateDatabaseTypes } from './database-types';

// `npm run types`: applies the migrations to a temporary database and writes the generated types.
const dataDir = await mkdtemp(join(tmpdir(), 'atelier-types-'));
const backend = await startBackend({
  dataDir,
  port: 0,
  postgresPort: 0,
  publishableKey: 'sb_publishable_types',
  secretKey: 'sb_secret_types',
  migrationsDir: 'supabase/migrations',
  durable: false,
});
try {
  await writeFile('lib/supabase/database.types.ts', await generateDatabaseTypes(backend.databaseUrl));
} finally {
  await backend.stop();
  await rm(dataDir, { recursive: true, force: true });
}
