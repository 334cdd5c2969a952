import { parseArgs } from 'node:util';
import { progress, runSoak } from '@/tests/soak/run-soak';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string' } },
});
const seconds = Number(values.minutes) * 60;
const seed = Number(values.seed ?? Date.now() % 1e9);
if (!(seconds > 0 && seconds <= 86_400) || !Number.isSafeInteger(seed) || seed < 0) {
  process.stderr.write('Use npm run soak -- --minutes 10 --seed 42.\n');
  process.exit(2);
}

const printLine = (line: string) =>
  process.stdout.write(`${new Date().toISOString().slice(11, 19)}  ${line}\n`);
printLine(`A soak of ${values.minutes} minutes with the seed ${seed}.`);
const atLeast = { uploads: 1, jobs: 1, saves: 1, exports: 1, faults: {} };
const { ledger, faults, completed, faultyTriggers, swept, violations } = await runSoak({
  seconds,
  seed,
  atLeast,
  log: printLine,
});
printLine(progress(ledger, faults));
printLine(
  `Completed: ${completed.specs} of ${ledger.uploads.length} specs, ${completed.jobs} of ${ledger.jobs.length} image ` +
    `jobs, ${completed.exports} of ${ledger.exports.length} exports; ${Math.round(faultyTriggers * 100)} % of the ` +
    `triggers failed; ${ledger.givenUp.size} callbacks given up; ${swept} files without a row swept.`,
);
for (const violation of violations) process.stderr.write(`VIOLATION  ${violation}\n`);
printLine(
  violations.length === 0 ? 'Nothing lost, nothing twice, nothing stuck.' : `Seed ${seed} breaks it.`,
);
process.exit(violations.length === 0 ? 0 : 1);
