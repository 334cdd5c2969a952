import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

/**
 * `npm run test:load -- [--times 3] [-- <arguments of vitest>]`: runs the tests several times in a row while a busy loop
 * occupies each processor, and prints the duration of each run. Stops at the first run that fails. Without arguments
 * for vitest, runs the tests of `npm test`.
 */
const { values, positionals } = parseArgs({
  options: { times: { type: 'string', default: '3' } },
  allowPositionals: true,
});
const times = Number(values.times);
const chosen = positionals.length > 0 ? positionals : ['--mode', 'core'];

// Each loop exits when its standard input closes, which happens when this process exits.
const loop =
  "process.stdin.on('end', () => process.exit()).resume(); const spin = () => { for (let i = 0; i < 1e8; i++); setImmediate(spin); }; spin()";
const loops = Array.from({ length: availableParallelism() }, () =>
  spawn(process.execPath, ['-e', loop], { stdio: ['pipe', 'ignore', 'ignore'] }),
);

let failed = false;
for (let run = 1; run <= times && !failed; run += 1) {
  const begin = Date.now();
  const suite = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...chosen], {
    stdio: 'inherit',
  });
  const [code] = (await once(suite, 'exit')) as [number | null];
  failed = code !== 0;
  const seconds = Math.round((Date.now() - begin) / 1_000);
  process.stdout.write(
    `Run ${run} of ${times} beside ${loops.length} busy loops: ${failed ? 'failed' : 'passed'} after ${seconds} s\n`,
  );
}
for (const each of loops) each.kill('SIGKILL');
process.exitCode = failed ? 1 : 0;
