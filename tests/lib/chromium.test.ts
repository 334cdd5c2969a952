import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, utimes } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '@/lib/pdf/chromium/launch';
import { spaceToUnpack, UNPACKED_BYTES, unpackChromium } from '@/lib/pdf/chromium/unpack';
import { poll } from '@/tests/app/support/poll';
import { makeDataDir } from '@/tests/setup/temporary-dir';

let dataDir: Awaited<ReturnType<typeof makeDataDir>>;
beforeAll(async () => {
  dataDir = await makeDataDir();
});
afterAll(() => dataDir.remove());

const inCache = () => readdir(join(dataDir.path, 'chromium')).catch(() => []);
const partial = async () => (await inCache()).find((name) => name.endsWith('.partial'));

async function launch(changes: Partial<Parameters<typeof launchChromium>[0]> = {}) {
  const warnings: unknown[] = [];
  const chromium = await launchChromium({
    dataDir: dataDir.path,
    network: 'none',
    userDataDir: join(dataDir.path, 'profile'),
    log: { warn: (...said: unknown[]) => warnings.push(said) },
    ...changes,
  });
  return { ...chromium, warnings };
}

describe('unpackChromium', { tags: ['extended'] }, () => {
  test('a process killed while it unpacks Chromium leaves nothing that counts as unpacked', async () => {
    const code = `import { spaceToUnpack, UNPACKED_BYTES, unpackChromium } from '@/lib/pdf/chromium/unpack';
      await unpackChromium(${JSON.stringify(dataDir.path)});`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const folder = await poll('unpacking has begun', async () => {
      const name = await partial();
      const written =
        name && (await stat(join(dataDir.path, 'chromium', name, 'chromium')).catch(() => null));
      return written && written.size > 0 && name;
    });
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await inCache()).toEqual([folder]);
    // Make the folder look so old that no process can still be writing to it.
    const before = new Date(Date.now() - 3_600_000);
    await utimes(join(dataDir.path, 'chromium', folder), before, before);
  });

  test('until Chromium is unpacked, its space is demanded', async () => {
    const { folder, bytes } = await spaceToUnpack(dataDir.path, undefined);
    expect([dirname(folder), bytes]).toEqual([join(dataDir.path, 'chromium'), UNPACKED_BYTES]);
  });

  test('two simultaneous calls unpack one complete copy and delete leftovers', async () => {
    const [one, other] = await Promise.all([unpackChromium(dataDir.path), unpackChromium(dataDir.path)]);
    expect(other).toEqual(one);
    expect(await inCache()).toEqual([expect.stringMatching(/^chromium-\d+\.\d+\.\d+-\w+$/)]);
    expect((await stat(one.executable)).mode & 0o777).toBe(0o755);
    expect(await readdir(one.libraries)).toContain('libnss3.so');
    const [blocks = ''] = execFileSync('du', ['-sB1', dirname(one.executable)], { encoding: 'utf8' }).split(
      '\t',
    );
    // The space that readiness demands is that of the unpacked files, and a little more.
    expect(Number(blocks)).toBeLessThanOrEqual(UNPACKED_BYTES);
    expect(Number(blocks)).toBeGreaterThan(0.9 * UNPACKED_BYTES);
    expect(await spaceToUnpack(dataDir.path, undefined)).toEqual({
      folder: dirname(one.executable),
      bytes: 0,
    });
  });

  test('Chromium is unpacked only once', async () => {
    const { executable } = await unpackChromium(dataDir.path);
    const before = await stat(executable);
    expect((await unpackChromium(dataDir.path)).executable).toBe(executable);
    expect(await stat(executable)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
  });
});

describe('launchChromium', () => {
  test('a launched browser runs without privileges, shows text, and exits when it is closed', async () => {
    const { browser, pid, sandboxed, warnings, close } = await launch();
    const [, uid] = /^Uid:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
    const mayBeNobody = process.getuid?.() === 0 && sandboxed;
    expect(Number(uid)).toBe(mayBeNobody ? 65534 : process.getuid?.());
    // `launchChromium` logs a warning when it starts the browser without its sandbox.
    expect(warnings).toHaveLength(sandboxed ? 0 : 1);
    expect(await readFile(`/proc/${pid}/cmdline`, 'utf8').then((line) => line.includes('--no-sandbox'))).toBe(
      !sandboxed,
    );
    const page = await browser.newPage();
    await page.setContent('<p style="font-size: 40px">Text</p>');
    const { channels } = await sharp(await page.screenshot()).stats();
    expect(channels[0]?.min).toBeLessThan(64);
    await close();
    await expect(readFile(`/proc/${pid}/status`)).rejects.toThrow('ENOENT');
  });

  test('a launched browser has no network or only the loopback, as requested', async () => {
    const server = createServer((_, response) => response.end('here')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    for (const network of ['none', 'loopback'] as const) {
      const { browser, close } = await launch({ network });
      const page = await browser.newPage();
      const answer = page.goto(address).then((response) => response?.text());
      if (network === 'none') await expect(answer).rejects.toThrow('ERR_PROXY_CONNECTION_FAILED');
      else expect(await answer).toBe('here');
      await expect(page.goto('http://192.0.2.1/')).rejects.toThrow('ERR_PROXY_CONNECTION_FAILED');
      await expect(page.goto('http://example.com/')).rejects.toThrow(/ERR_PROXY|ERR_NAME_NOT_RESOLVED/);
      await close();
    }
    server.close();
  });

  test('a launched browser that is killed can still be closed', async () => {
    const { pid, browser, close } = await launch();
    process.kill(pid, 'SIGKILL');
    await poll('the end of the browser is noticed', async () => !browser.connected);
    await close();
  });

  test('a browser that cannot start reports why', async () => {
    await expect(launch({ executable: '/nowhere/chromium' })).rejects.toThrow(/cannot be run.*ENOENT/);
    await expect(launch({ executable: '/bin/false' })).rejects.toThrow('Chromium did not start');
    await expect(launch({ args: ['--user-data-dir=/proc/nowhere'] })).rejects.toThrow(/nowhere/);
  });
});
