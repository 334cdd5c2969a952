import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';
import { makeFromSources } from './source-hash.ts';

/** The path of the checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/**
 * The modules that Node runs outside of Next. Node resolves neither the `@/` alias nor imports without an extension, and
 * runs no JSX, so each of them is bundled into one file, which contains everything except packages.
 */
const entryPoints = {
  server: 'app/server.ts',
  worker: 'app/worker.ts',
  'document-thread': 'app/document-thread.ts',
  backend: 'supabase/local/backend/main.ts',
  fakes: 'tests/fakes/main.ts',
};

const target = join(root, 'dist');
const sources = ['app', 'components', 'lib', 'supabase/local', 'tests/fakes'];

/** Returns the path of a bundled program. */
export const programPath = (name: keyof typeof entryPoints) => join(target, `${name}.mjs`);

/** Replaces each file in one step, because a process can start from it at any time. */
const replaceFiles: Plugin = {
  name: 'replace files',
  setup: ({ onEnd }) =>
    onEnd(async ({ outputFiles = [] }) => {
      for (const { path, contents } of outputFiles) {
        const temporary = `${path}.${process.pid}`;
        await mkdir(dirname(path), { recursive: true });
        await writeFile(temporary, contents);
        await rename(temporary, path);
      }
    }),
};

const buildOptions: BuildOptions = {
  absWorkingDir: root,
  entryPoints,
  outdir: target,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node24',
  jsx: 'automatic',
  write: false,
  plugins: [replaceFiles],
  logLevel: 'warning',
};

/**
 * Bundles the programs unless there are bundles of the same sources. Concurrent calls wait for each other. Only then is
 * esbuild loaded, because an installation without development dependencies has none.
 */
export function bundlePrograms(log: (line: string) => void): Promise<void> {
  const make = async () => {
    const { build, stop } = await import('esbuild');
    await build(buildOptions).finally(stop);
  };
  return makeFromSources({ root, sources, target, make, log });
}

/** Bundles the programs again at each change of their sources, until this process exits. */
export async function watchPrograms(): Promise<void> {
  const { context } = await import('esbuild');
  await rm(join(target, 'source-hash'), { force: true });
  const watched = await context(buildOptions);
  await watched.rebuild();
  await watched.watch();
}
