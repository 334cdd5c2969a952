/** `npm run build`: creates the production build, which `npm start` reuses until the sources change. */
import { buildApp } from './app-process';
import { createProcessSet } from './process-set';
import { step } from './progress';
import { systemEnv } from './system-env';

const printLine = (line: string) => process.stdout.write(`${line}\n`);
const distDir = process.env.ATELIER_DIST_DIR || '.next';
const processes = createProcessSet(() => {});

try {
  await step(printLine, 'App build', () =>
    buildApp({ processes, env: systemEnv(), distDir, log: printLine }),
  );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await processes.stop();
}
process.exit();
