import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { typescriptArgs } from '@/lib/typescript/typescript-args';

const launch = (port: string, ...args: string[]) =>
  fork('tests/fakes/matlib/main.ts', args, {
    execArgv: typescriptArgs,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, FAKE_MATLIB_PORT: port },
  });

test('the process of the fake library reports that it is ready, in the given mode, and ends on SIGTERM or with its parent', async () => {
  const [terminated, orphaned] = [launch('0', '--mode', 'error'), launch('0')];
  const [[ready]] = await Promise.all([once(terminated, 'message'), once(orphaned, 'message')]);
  expect(ready).toEqual({ type: 'ready', url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) });
  expect((await fetch(`${ready.url}/assets?type=textures`)).status).toBe(500);
  const exits = Promise.all([once(terminated, 'exit'), once(orphaned, 'exit')]);
  terminated.kill('SIGTERM');
  orphaned.disconnect();
  expect(await exits).toEqual([
    [0, null],
    [0, null],
  ]);
});

test('the process of the fake library reports a taken port or an unknown mode in one sentence', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  for (const [args, sentence] of [
    [[String(port)], new RegExp(`^Port ${port} is taken, .*\\n$`)],
    [['0', '--mode', 'nonsense'], /^There is no mode "nonsense"; there are ok, .*\n$/],
  ] as const) {
    const [port, ...more] = args;
    const child = launch(port, ...more);
    const [output, [code]] = await Promise.all([child.stderr ? text(child.stderr) : '', once(child, 'exit')]);
    expect(output).toMatch(sentence);
    expect(code).toBe(1);
  }
  other.close();
});
