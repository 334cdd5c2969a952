import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const ownProject = ['backend', 'fakes', 'matlib', 'sql', 'start', 'app', 'browser'].map(
  (folder) => `tests/${folder}/**`,
);
const tests = (folder: string) => [`tests/${folder}/**/*.test.{ts,tsx}`];

// A project's global setup runs only when one of its files does: `vitest run tests/fakes` starts no database.
export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '') } },
  test: {
    setupFiles: ['tests/setup/fail-on-console-error.ts'],
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [
      { test: { name: 'modules', include: ['tests/**/*.test.{ts,tsx}'], exclude: ownProject } },
      { test: { name: 'fakes', include: tests('fakes') } },
      { test: { name: 'matlib', include: tests('matlib') } },
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
        // One product of its own, whose list of specs all files see: one at a time.
        test: {
          name: 'browser',
          include: tests('browser'),
          globalSetup: 'tests/setup/running-atelier.ts',
          setupFiles: ['tests/setup/fail-on-console-error.ts', 'tests/setup/check-answers.ts'],
          sequence: { groupOrder: 3 },
          fileParallelism: false,
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
