import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const ownProject = ['backend', 'fakes', 'matlib', 'sql', 'start', 'app', 'browser'].map(
  (folder) => `tests/${folder}/**`,
);
const tests = (folder: string) => [`tests/${folder}/**/*.test.{ts,tsx}`];

const longest = /\/(faults|fast|lifecycle|documents-together)\.test\.ts$/;

/** Long files first: begun last, they would run on alone when all others are done. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const [long, short] = [true, false].map((isLong) =>
      files.filter(({ moduleId }) => longest.test(moduleId) === isLong),
    );
    return [...(long ?? []), ...(await super.sort(short ?? []))];
  }
}

// A project's global setup runs only when one of its files does: `vitest run tests/fakes` starts no database.
export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '') } },
  test: {
    setupFiles: ['tests/setup/fail-on-console-error.ts'],
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [
      { test: { name: 'modules', include: ['tests/**/*.test.{ts,tsx}'], exclude: ownProject } },
      { test: { name: 'fakes', include: tests('fakes') } },
      { test: { name: 'matlib', include: tests('matlib'), testTimeout: 60_000 } },
      { test: { name: 'backend', include: tests('backend') } },
      { test: { name: 'sql', include: tests('sql'), globalSetup: 'tests/setup/sql-server.ts' } },
      {
        test: {
          name: 'app',
          include: tests('app'),
          globalSetup: 'tests/setup/running-atelier.ts',
          setupFiles: ['tests/setup/fail-on-console-error.ts', 'tests/setup/check-answers.ts'],
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
        },
      },
      {
        // Files that would disturb each other in the one product take turns by themselves.
        test: {
          name: 'browser',
          include: tests('browser'),
          globalSetup: 'tests/setup/running-atelier.ts',
          setupFiles: ['tests/setup/fail-on-console-error.ts', 'tests/setup/check-answers.ts'],
          sequence: { groupOrder: 3 },
          testTimeout: 60_000,
        },
      },
      {
        // Each file starts whole copies of the product: with nothing but its like beside it.
        test: {
          name: 'start',
          include: tests('start'),
          sequence: { groupOrder: 2 },
          testTimeout: 180_000,
        },
      },
    ],
  },
});
