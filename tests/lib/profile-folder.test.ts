import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeProfileFolder } from '@/lib/pdf/profile-folder';
import { poll } from '@/tests/app/support/poll';

test('a browser whose owner was killed is killed too, and its profile is removed', async () => {
  const owner = spawn('true');
  await once(owner, 'exit');
  const left = await mkdtemp(join(tmpdir(), `atelier-chromium-${owner.pid}-`));
  // A single process, so that nothing writes to the folder after the kill.
  const write =
    "const folder = process.argv[1] + '/Default'; for (;;) fs.mkdirSync(folder, { recursive: true });";
  const browser = spawn(process.execPath, ['-e', write, left]);
  const exited = once(browser, 'exit');
  try {
    await poll('the browser writes', async () => existsSync(join(left, 'Default')));
    const profile = await makeProfileFolder();
    await profile.remove();
    expect(await exited).toEqual([null, 'SIGKILL']);
    expect(existsSync(left)).toBe(false);
  } finally {
    browser.kill('SIGKILL');
  }
});
