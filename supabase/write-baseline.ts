import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

// `npm run schema`: replaces all migrations by one with the text of `schemas`. It keeps the last version, as
// `supabase migration squash` does, so a database with that version counts as up to date and any older one is refused.
const schemas = join(import.meta.dirname, 'schemas');
const migrations = join(import.meta.dirname, 'migrations');
const replaced = (await readdir(migrations)).filter((name) => name.endsWith('.sql')).sort();
const version = replaced.at(-1)?.slice(0, 14);
if (!version) throw new Error('There is no migration to take the version from.');
const parts = (await readdir(schemas)).sort().map((name) => readFile(join(schemas, name), 'utf8'));
const text = (await Promise.all(parts)).join('\n');
await Promise.all(replaced.map((name) => rm(join(migrations, name))));
await writeFile(
  join(migrations, `${version}_baseline.sql`),
  `-- Written by \`npm run schema\` from supabase/schemas.\n\n${text}`,
);
