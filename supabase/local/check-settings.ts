import { serverEnv } from '@/lib/env/server';

// A process of its own: the check reads its environment, which is not that of the process that starts it.
try {
  serverEnv();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
