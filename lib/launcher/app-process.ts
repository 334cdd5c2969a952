import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuild } from './build.ts';
import { type Child, childResponds } from './children.ts';
import type { ProcessSet } from './process-set.ts';
import { programPath, root } from './programs.ts';
import type { Settings } from './settings.ts';
import { readCheckoutSettings } from './settings-file.ts';

const buildArgs = [
  '--import',
  pathToFileURL(join(root, 'lib/launcher/exit-with-parent.ts')).href,
  join(root, 'node_modules/next/dist/bin/next'),
  'build',
];

/**
 * Returns the environment of a process of Next. Next reads the dotenv files of the checkout too. It takes no setting from
 * them that is already there, even if empty. The launcher has read them, and a start with other settings, such as that
 * of the tests, must not use them.
 */
function nextEnv(env: Settings, dev: boolean): Settings {
  const unset = Object.keys(readCheckoutSettings(root, dev)).map((name) => [name, '']);
  return { ...Object.fromEntries(unset), ...env, NEXT_TELEMETRY_DISABLED: '1' };
}

/**
 * Runs `next build` unless a build of the same sources exists. Throws a StartError if the build fails, or if another
 * process is running from an outdated build.
 */
export function buildApp(options: {
  processes: ProcessSet;
  env: Settings;
  distDir: string;
  log: (line: string) => void;
  /** Called when the build starts. */
  onBuild?: () => void;
}): Promise<void> {
  const { processes, env, distDir, log, onBuild } = options;
  // Next inlines NEXT_PUBLIC_ values into the build, but one build must work with any configuration.
  const unnamed = Object.entries(env).filter(([name]) => !name.startsWith('NEXT_PUBLIC_'));
  const buildEnv = { ...nextEnv(Object.fromEntries(unnamed), false), ATELIER_DIST_DIR: distDir };
  const runBuild = () => {
    onBuild?.();
    return processes.run({ name: 'the build', args: buildArgs, cwd: root, env: buildEnv });
  };
  return ensureBuild({ root, distDir, runBuild, log });
}

/**
 * Starts the Next server and resolves once its health check succeeds. Logs the server's output from then on or, in dev
 * mode, from the beginning.
 */
export async function startApp(options: {
  processes: ProcessSet;
  env: Settings;
  distDir: string;
  dev: boolean;
  host: string;
  port: number;
  log: (line: string) => void;
  onDeath: (how: string) => void;
}): Promise<Child> {
  const { processes, env, distDir, dev, host, port, log, onDeath } = options;
  // Hide the output of the start in production. In dev mode, that of the compiler is useful.
  let shown = dev;
  const app = processes.run({
    name: 'the app',
    args: [programPath('server'), '--port', String(port), '--host', host, ...(dev ? ['--dev'] : [])],
    cwd: root,
    env: { ...nextEnv(env, dev), ATELIER_DIST_DIR: distDir },
    mode: dev ? 'development' : 'production',
    stopFirst: true,
    onLine: (line) => shown && log(line),
    onDeath,
  });
  try {
    await childResponds(app, `http://127.0.0.1:${port}/api/health`, dev ? 180_000 : 60_000);
  } catch (error) {
    // A process that starts too slowly would otherwise occupy the port that the next attempt needs.
    await app.stop();
    throw error;
  }
  shown = true;
  return app;
}
