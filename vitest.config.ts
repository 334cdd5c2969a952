import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const ownProject = ['backend', 'fakes', 'matlib', 'sql', 'start', 'app', 'browser'].map(
  (folder) => `tests/${folder}/**`,
);
const tests = (folder: string) => [`tests/${folder}/**/*.test.{ts,tsx}`];
/**
 * Unit tests that set environment variables. Each of these files needs its own copy of the modules, because modules
 * read the settings only once. All other unit tests in a worker share one copy.
 */
const ownSettings = globSync('tests/lib/*.test.ts').filter((file) =>
  /\bstub(Env|Settings)\b/.test(readFileSync(file, 'utf8')),
);

/**
 * Projects start in this order, so that test files that do not need the built app run while it is being built. Within a
 * project, the `longest` files start first, so no processor idles at the end while another one runs a long file.
 */
const order = ['modules', 'settings', 'backend', 'matlib', 'fakes', 'sql', 'start', 'app', 'browser'];
const longest = /\/(fast|refusals|fonts|hostile|faults|lifecycle|export-cancel|access|callbacks)\.test\.ts$/;

class ByNeed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) =>
      order.indexOf(project.name) * 2 + (longest.test(moduleId) ? 0 : 1);
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

const product = {
  globalSetup: 'tests/setup/running-atelier.ts',
  setupFiles: ['tests/setup/wait-for-atelier.ts'],
};
// Test files with these options share modules within a worker. That is safe because the state that the tests change is
// not in modules, but in separate processes or in objects that the tests create.
const shared = { isolate: false, unstubEnvs: true, unstubGlobals: true };
// A project inherits the settings below only if it sets `extends`.
const project = (test: TestProjectInlineConfiguration['test']) => ({ extends: true as const, test });

// A project's global setup runs only if one of its test files runs, so `npm test -- tests/fakes` starts no database.
export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '') } },
  test: {
    setupFiles: ['tests/setup/fail-on-console-error.ts', 'tests/setup/undo-stubs.ts'],
    // The workers may outnumber the processors, because workers spend most of their time waiting for the product's
    // processes.
    maxWorkers: 4,
    sequence: { sequencer: ByNeed },
    // No test depends on timing, so only something that hangs reaches these limits.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000, interval: 50 } },
    projects: [
      project({
        name: 'modules',
        include: ['tests/**/*.test.{ts,tsx}'],
        exclude: [...ownProject, ...ownSettings],
        isolate: false,
      }),
      project({ name: 'settings', include: ownSettings }),
      project({ name: 'fakes', include: tests('fakes'), ...shared }),
      project({ name: 'matlib', include: tests('matlib'), ...shared }),
      project({ name: 'backend', include: tests('backend'), ...shared }),
      project({ name: 'sql', include: tests('sql'), ...shared, globalSetup: 'tests/setup/sql-server.ts' }),
      project({ name: 'start', include: tests('start'), ...shared }),
      project({ name: 'app', include: tests('app'), isolate: false, ...product }),
      project({ name: 'browser', include: tests('browser'), ...shared, ...product }),
    ],
  },
});
