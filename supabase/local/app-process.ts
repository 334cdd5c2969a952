import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureBuild } from './build';
import { type Child, childAnswers } from './children';
import type { Family } from './family';
import type { Settings } from './settings';

/** The checkout's folder. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

const next = [
  '--import',
  pathToFileURL(join(root, 'supabase/local/exit-with-parent.ts')).href,
  join(root, 'node_modules/next/dist/bin/next'),
];

const nextEnv = {
  NEXT_TELEMETRY_DISABLED: '1',
  // Next would read the checkout's dotenv files once more; they have been read, and tests do without them.
  __NEXT_PROCESSED_ENV: 'true',
};

/** Builds the pages with `next build` unless a build of the same sources is there. */
export function buildApp(options: {
  family: Family;
  env: Settings;
  distDir: string;
  log: (line: string) => void;
}): Promise<void> {
  const { family, env, distDir, log } = options;
  // Next writes the values of such names into the build, which must serve any configuration.
  const unnamed = Object.entries(env).filter(([name]) => !name.startsWith('NEXT_PUBLIC_'));
  const buildEnv = { ...Object.fromEntries(unnamed), ...nextEnv, ATELIER_DIST_DIR: distDir };
  const runBuild = () =>
    family.run({
      what: 'the build',
      args: [...next, 'build'],
      cwd: root,
      env: buildEnv,
    });
  return ensureBuild({ root, distDir, runBuild, log });
}

/** Starts the Next server and resolves when it answers. Its lines are logged from then on. */
export async function startApp(options: {
  family: Family;
  env: Settings;
  distDir: string;
  dev: boolean;
  host: string;
  port: number;
  log: (line: string) => void;
  onDeath: (how: string) => void;
}): Promise<Child> {
  const { family, env, distDir, dev, host, port, log, onDeath } = options;
  // The banner of Next says nothing that our own lines do not; what it compiles in dev mode is of use.
  let shown = dev;
  const app = family.run({
    what: 'the app',
    args: [...next, dev ? 'dev' : 'start', '-p', String(port), '-H', host],
    cwd: root,
    env: { ...env, ...nextEnv, ATELIER_DIST_DIR: distDir },
    mode: dev ? 'development' : 'production',
    stopFirst: true,
    onLine: (line) => shown && log(line),
    onDeath,
  });
  await childAnswers(app, `http://127.0.0.1:${port}/api/health`, dev ? 180_000 : 60_000);
  shown = true;
  return app;
}
