import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const launch = (port: string, ...args: string[]) =>
  fork('tests/fakes/workflow/main.ts', args, {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      FAKE_WORKFLOW_PORT: port,
      WORKFLOW_SIGNING_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
      WEBHOOK_SECRET: 'the-callback-secret-of-the-tests',
      IMAGE_WEBHOOK_SECRET: 'the-image-secret-of-the-tests',
    },
  });

test('tells that it is ready, in the mode it was given, and ends on SIGTERM or with its parent', async () => {
  const [terminated, orphaned] = [launch('0', '--mode', 'refuse'), launch('0')];
  const [[ready]] = await Promise.all([once(terminated, 'message'), once(orphaned, 'message')]);
  expect(ready).toEqual({ type: 'ready', url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) });
  const state = await (await fetch(`${ready.url}/control`)).json();
  expect(state).toMatchObject({ mode: 'refuse' });
  const exits = Promise.all([once(terminated, 'exit'), once(orphaned, 'exit')]);
  terminated.kill('SIGTERM');
  orphaned.disconnect();
  expect(await exits).toEqual([
    [0, null],
    [0, null],
  ]);
});

test('says in one sentence that its port is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const child = launch(String(port));
  const [said, [code]] = await Promise.all([child.stderr ? text(child.stderr) : '', once(child, 'exit')]);
  expect(said).toMatch(new RegExp(`^Port ${port} is taken, .*\\n$`));
  expect(code).toBe(1);
  other.close();
});
