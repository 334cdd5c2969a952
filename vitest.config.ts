import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const testsFolder = fileURLToPath(new URL('tests', import.meta.url));
const tests = (folder: string) => [`tests/${folder}/**/*.test.{ts,tsx}`];
/** The tests of `npm test` and of `npm run test:extended`, which choose a set with `--mode`. Other runs have both. */
const sets: Record<string, string[]> = { core: ['!extended'], extended: ['extended'] };

/**
 * Test files start in the order of these groups of folders, so that those that do not need the built app run while it
 * is being built.
 */
const order = [
  ['sql'],
  ['lib', 'pdf', 'settings'],
  ['backend', 'matlib', 'fakes', 'openapi', 'components', 'setup'],
  ['start'],
  ['app', 'browser'],
];

class ByNeed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const [folder = ''] = relative(testsFolder, moduleId).split(sep);
      return order.findIndex((group) => group.includes(folder));
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
    ...(sets[mode] && { tagsFilter: sets[mode] }),
    tags: [
      { name: 'extended', description: 'Left out by `npm test`; run by `npm run test:extended` and in CI.' },
    ],
    globalSetup: 'tests/setup/bundle-programs.ts',
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
      // These tests set environment variables. Each file needs its own copy of the modules, because modules read the
      // settings only once.
      project({ name: 'settings', include: tests('settings'), isolate: true }),
      project({ name: 'sql', include: tests('sql'), globalSetup: 'tests/setup/sql-server.ts' }),
      project({
        name: 'without-app',
        include: tests('*'),
        exclude: ['settings', 'sql', 'app', 'browser'].flatMap(tests),
      }),
      project({ name: 'with-app', include: [...tests('app'), ...tests('browser')], ...product }),
    ],
  },
}));
