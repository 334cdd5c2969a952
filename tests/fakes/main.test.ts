// @module-tag extended
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { programPath } from '@/lib/launcher/programs';

const launch = (...args: string[]) =>
  fork(programPath('fakes'), args, {
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      WORKFLOW_SIGNING_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
      WEBHOOK_SECRET: 'the-callback-secret-of-the-tests',
      IMAGE_WEBHOOK_SECRET: 'the-image-secret-of-the-tests',
    },
  });

test('one process serves the fakes that its arguments name, and exits on SIGTERM or with its parent', async () => {
  const [both, one] = [launch('workflow=0', 'matlib=0'), launch('matlib=0')];
  const output = both.stdout ? text(both.stdout) : Promise.resolve('');
  const [[workflow], [matlib]] = await Promise.all([once(both, 'message'), once(one, 'message')]);
  expect(await (await fetch(`${workflow.url}/control`)).json()).toMatchObject({ mode: 'ok' });
  expect((await fetch(`${matlib.url}/assets?type=textures`)).status).toBe(200);
  const exits = Promise.all([once(both, 'exit'), once(one, 'exit')]);
  both.kill('SIGTERM');
  one.disconnect();
  expect(await exits).toEqual([
    [0, null],
    [0, null],
  ]);
  expect(await output).toMatch(/^fake matlib at http:\/\/127\.0\.0\.1:\d+$/m);
});

test('the process of the fakes fails on an unknown fake', async () => {
  const child = launch('nonsense=0');
  const [output, [code]] = await Promise.all([child.stderr ? text(child.stderr) : '', once(child, 'exit')]);
  expect(output).toContain('There is no fake "nonsense".');
  expect(code).toBe(1);
});
