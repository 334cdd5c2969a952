import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, inject, test } from 'vitest';
import { programPath } from '@/lib/launcher/programs';
import { systemEnv } from '@/lib/launcher/system-env';
import { poll } from '@/tests/app/support/poll';

const { env } = inject('atelier');

test.concurrent.each([
  ['three hours ahead', 3],
  ['three hours behind', -3],
])('a worker whose clock is %s logs it and takes no work', async (_what, hours) => {
  const shift = `const now = Date.now; Date.now = () => now() + ${hours} * 3_600_000;`;
  const worker = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(shift)}`, programPath('worker')],
    { env: { ...systemEnv(), ...env, NODE_ENV: 'production' }, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  let said = '';
  worker.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = once(worker, 'exit');
  try {
    await poll('the worker has logged it', async () => said.includes('no work is claimed'));
    const [, leadSeconds] = /"leadSeconds":(-?\d+)/.exec(said) ?? [];
    // Round, because the time that the query takes makes the measured difference slightly too small.
    expect(Math.round(Number(leadSeconds) / 60)).toBe(hours * 60);
  } finally {
    worker.kill('SIGTERM');
    await ended;
  }
  expect(said).not.toContain('"msg":"work"');
});
