import { globSync, readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const testsFolder = fileURLToPath(new URL('tests', import.meta.url));
const tests = (folder: string) => [`tests/${folder}/**/*.test.{ts,tsx}`];
/**
 * Unit tests that set environment variables. Each of these files needs its own copy of the modules, because modules
 * read the settings only once. All other unit tests in a worker share one copy.
 */
const ownSettings = globSync('tests/lib/*.test.ts').filter((file) =>
  /\bstub(Env|Settings)\b/.test(readFileSync(file, 'utf8')),
);

/**
 * The tests of `npm test` and of `npm run test:extended`, which choose a set with `--mode`. Other runs have the tests of
 * both sets. A file without tests of the chosen set is not even loaded.
 */
const sets: Record<string, { tagsFilter: string[]; hasTests: (source: string) => boolean }> = {
  core: { tagsFilter: ['!extended'], hasTests: (source) => !/^\/\/ @module-tag extended$/m.test(source) },
  extended: {
    tagsFilter: ['extended'],
    hasTests: (source) => /@module-tag extended|'extended'/.test(source),
  },
};

function chooseTests(mode: string): { tagsFilter?: string[]; exclude?: string[] } {
  const set = sets[mode];
  if (!set) return {};
  const files = globSync('tests/**/*.test.{ts,tsx}');
  return {
    tagsFilter: set.tagsFilter,
    exclude: files.filter((file) => !set.hasTests(readFileSync(file, 'utf8'))),
  };
}

/**
 * Test files start in the order of these groups of folders, so that those that do not need the built app run while it
 * is being built. Within a group, the `early` files start first: the longest ones, so no processor idles at the end while
 * another one runs a long file, and `workflow-events`, which waits for up to a minute if `access` and `bad-input` have
 * already used up the number of refused callbacks that the product lists per minute.
 */
const order = [
  ['sql'],
  ['lib', 'pdf'],
  ['backend', 'matlib', 'fakes', 'openapi', 'components', 'setup'],
  ['start'],
  ['app', 'browser'],
];
const early =
  /\/(workflow-events|fast|refusals|fonts|hostile|faults|lifecycle|observability|export-cancel|documents|documents-together|studio|access|callbacks)\.test\.ts$/;

class ByNeed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const [folder = ''] = relative(testsFolder, moduleId).split(sep);
      return order.findIndex((group) => group.includes(folder)) * 2 + (early.test(moduleId) ? 0 : 1);
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

const product = {
  globalSetup: 'tests/setup/running-atelier.ts',
  setupFiles: ['tests/setup/wait-for-atelier.ts'],
};
// A project inherits the settings below only if it sets `extends`.
const project = (test: TestProjectInlineConfiguration['test']) => ({ extends: true as const, test });

// A project's global setup runs only if one of its test files runs, so `npm run test:all -- tests/fakes` starts no
// database.
export default defineConfig(({ mode }) => ({
  resolve: { alias: { '@': fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '') } },
  test: {
    ...chooseTests(mode),
    tags: [
      { name: 'extended', description: 'Left out by `npm test`; run by `npm run test:extended` and in CI.' },
    ],
    setupFiles: ['tests/setup/fail-on-console-error.ts', 'tests/setup/undo-stubs.ts'],
    // One more than two processors, because workers also wait for the product's processes. With a fourth worker, each
    // loads the modules again, which takes longer than the waiting.
    maxWorkers: 3,
    // The default of 16 MB is too small for the garbage of property tests and parsed PDFs: collecting it takes 9 % of the
    // workers' CPU time.
    execArgv: ['--max-semi-space-size=64'],
    // Test files share modules within a worker. That is safe because the state that the tests change is not in modules,
    // but in separate processes or in objects that the tests create.
    isolate: false,
    sequence: { sequencer: ByNeed },
    // No test depends on timing, so only something that hangs reaches these limits.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000, interval: 50 } },
    projects: [
      project({ name: 'settings', include: ownSettings, isolate: true }),
      project({ name: 'sql', include: tests('sql'), globalSetup: 'tests/setup/sql-server.ts' }),
      project({
        name: 'without-app',
        include: ['tests/**/*.test.{ts,tsx}'],
        exclude: [...['sql', 'app', 'browser'].map((folder) => `tests/${folder}/**`), ...ownSettings],
      }),
      project({ name: 'with-app', include: [...tests('app'), ...tests('browser')], ...product }),
    ],
  },
}));
