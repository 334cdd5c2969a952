// @module-tag extended
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { modes } from '@/tests/fakes/workflow/modes';

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

test('the fake workflow service starts in the given mode, reports when it is ready, and exits on SIGTERM or with its parent', async () => {
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

test('the fake workflow service reports a taken port in one sentence', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const child = launch(String(port));
  const [output, [code]] = await Promise.all([child.stderr ? text(child.stderr) : '', once(child, 'exit')]);
  expect(output).toMatch(new RegExp(`^Port ${port} is taken, .*\\n$`));
  expect(code).toBe(1);
  other.close();
});

test('npm run workflow:fake -- --help lists the modes and options', () => {
  const output = execFileSync('npm', ['run', '--silent', 'workflow:fake', '--', '--help'], {
    encoding: 'utf8',
  });
  for (const mode of modes) expect(output).toMatch(new RegExp(`^  ${mode} +\\S`, 'm'));
  for (const word of ['--mode', '--port', 'SPEC_WORKFLOW_URL', 'IMAGE_WORKFLOW_URL'])
    expect(output).toContain(word);
});

test.each([
  [['--mode', 'odd'], /^There is no mode "odd"; there are ok, slow, /],
  [['--port', 'x'], /^--port must be a whole number up to 65535, not "x"\.\n$/],
  [['--port', '65536'], /^--port must be/],
  [['--delay', '-1'], /--help tells what there is\.\n$/],
  [['--odd'], /^Unknown option '--odd'.* --help tells what there is\.\n$/],
])(
  'the process of the fake workflow service reports in one sentence what is wrong with %j',
  async (args, sentence) => {
    const child = launch('0', ...args);
    const [output, [code]] = await Promise.all([child.stderr ? text(child.stderr) : '', once(child, 'exit')]);
    expect(output).toMatch(sentence);
    expect(output.split('\n')).toHaveLength(2);
    expect(code).toBe(1);
  },
);

test('the fake workflow service listens on the port of --port', async () => {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  free.close();
  await once(free, 'close');
  const child = launch('0', '--port', String(port), '--mode', 'broken', '--delay', '7');
  const [ready] = await once(child, 'message');
  expect(ready).toEqual({ type: 'ready', url: `http://127.0.0.1:${port}` });
  expect(await (await fetch(`${ready.url}/control`)).json()).toMatchObject({ mode: 'broken', delayMs: 7 });
  child.kill('SIGTERM');
  await once(child, 'exit');
});
