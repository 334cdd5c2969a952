import { serverEnv } from '@/lib/env/server';

// Runs in its own process, because `serverEnv` reads `process.env`, which differs between the launcher and the app.
try {
  serverEnv();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
