import { expect, test } from 'vitest';
import { progress, runSoak } from '@/tests/soak/run-soak';

const seed = Number(process.env.ATELIER_SEED ?? Date.now() % 1e9);

// The bar: 300 uploads under ten kills of the app, with a fifth of the answers faulty.
test('a minute of faults loses nothing, doubles nothing and leaves nothing', async () => {
  console.log(`seed of the soak: ${seed}`);
  const report = await runSoak({
    seconds: 60,
    seed,
    atLeast: {
      uploads: 300,
      jobs: 60,
      saves: 20,
      exports: 30,
      faults: { 'kill app': 10, 'kill worker': 6, 'kill browser': 5, 'kill backend': 1 },
    },
    log: () => {},
  });
  console.log(progress(report.ledger, report.faults), report.completed, `${report.swept} files swept`);
  expect(report.breaches, `seed ${seed}`).toEqual([]);
  expect(report.faultyTriggers).toBeGreaterThanOrEqual(0.2);
  expect(report.completed.exports).toBeGreaterThan(report.ledger.exports.length / 2);
});
