/** `npm run build`: creates the production build, which `npm start` reuses until the sources change. */
import { buildApp } from './app-process.ts';
import { createProcessSet } from './process-set.ts';
import { bundlePrograms } from './programs.ts';
import { step } from './progress.ts';
import { systemEnv } from './system-env.ts';

const printLine = (line: string) => process.stdout.write(`${line}\n`);
const distDir = process.env.ATELIER_DIST_DIR || '.next';
const processes = createProcessSet(() => {});

try {
  await bundlePrograms(printLine);
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
