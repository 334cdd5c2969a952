import { writeFileSync } from 'node:fs';
import { generateDatabaseTypes } from './database-types';

// `npm run types`, while `npm start` runs: the database is one port above the backend's.
const port = Number(process.env.SUPABASE_LOCAL_PORT ?? 54321) + 1;
const types = generateDatabaseTypes(`postgresql://postgres:postgres@127.0.0.1:${port}/postgres`);
writeFileSync('lib/supabase/database.types.ts', types);
