import { serverEnv } from '@/lib/env/server';

// Runs in its own process, because `serverEnv` reads `process.env` and the launcher's differs from the app's.
try {
  serverEnv();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
