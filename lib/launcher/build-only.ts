/** `npm run build`: makes the production build. `npm start` reuses it until the sources change. */
import { buildApp } from './app-process';
import { createProcessSet } from './process-set';
import { step } from './progress';
import { systemEnv } from './system-env';

const say = (line: string) => process.stdout.write(`${line}\n`);
const distDir = process.env.ATELIER_DIST_DIR || '.next';
const processes = createProcessSet(() => {});

try {
  await step(say, 'App build', () => buildApp({ processes, env: systemEnv(), distDir, log: say }));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await processes.stop();
}
process.exit();
