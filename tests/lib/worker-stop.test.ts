import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { localSettings } from '@/lib/launcher/settings';
import { systemEnv } from '@/lib/launcher/system-env';
import { poll } from '@/tests/app/support/poll';
import { freePorts } from '@/tests/setup/free-ports';
import { makeDataDir } from '@/tests/setup/temporary-dir';

test('npm passes SIGTERM on to the worker and waits for it', async () => {
  const dataDir = await makeDataDir();
  // Nothing listens at these URLs, so there is no work to claim.
  const settings = localSettings({ chosen: {}, saved: {}, dataDir: dataDir.path, ...(await freePorts()) });
  const npm = spawn('npm', ['run', 'worker'], {
    env: { ...systemEnv(), ...settings, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  let output = '';
  npm.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const exited = once(npm, 'exit');
  try {
    await poll('the worker has started', async () => output.includes('worker started'));
    npm.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    await poll('the worker has ended', async () => output.includes('worker stopped'));
  } finally {
    if (npm.pid) {
      try {
        process.kill(-npm.pid, 'SIGKILL');
      } catch {
        // All processes have already exited.
      }
    }
    await dataDir.remove();
  }
});
