import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureBuild } from '@/lib/launcher/build';
import { spawnNode } from '@/lib/launcher/children';
import { sourceHash } from '@/lib/launcher/source-hash';
import { processIdentity } from '@/lib/process/live-process';
import { makeDataDir } from '@/tests/setup/temporary-dir';

let folder: Awaited<ReturnType<typeof makeDataDir>>;
beforeEach(async () => {
  folder = await makeDataDir();
  await mkdir(join(folder.path, 'app'));
  await writeFile(join(folder.path, 'app/page.tsx'), 'one');
  await writeFile(join(folder.path, 'package.json'), '{}');
});
afterEach(() => folder.remove());

const goodBuild =
  "const fs = require('fs'); fs.mkdirSync('out', { recursive: true }); fs.appendFileSync('builds', 'x');" +
  "setTimeout(() => fs.writeFileSync('out/BUILD_ID', 'id'), 300);";

function build(script = goodBuild): Promise<void> {
  const runBuild = () =>
    spawnNode({ name: 'the build', args: ['-e', script], cwd: folder.path, env: { PATH: '/usr/bin' } });
  return ensureBuild({ root: folder.path, distDir: 'out', runBuild, log: () => {} });
}

const builds = () => readFile(join(folder.path, 'builds'), 'utf8').catch(() => '');

test('the hash depends only on the names and content of the sources, not on times or other files', async () => {
  const hash = await sourceHash(folder.path, ['app']);
  await utimes(join(folder.path, 'app/page.tsx'), new Date(), new Date(0));
  await mkdir(join(folder.path, 'tests'));
  await writeFile(join(folder.path, 'tests/some.test.ts'), 'x');
  await writeFile(join(folder.path, 'README.md'), 'x');
  await writeFile(join(folder.path, 'workflow.mjs'), 'x');
  expect(await sourceHash(folder.path, ['app'])).toBe(hash);
  await writeFile(join(folder.path, 'app/page.tsx'), 'two');
  expect(await sourceHash(folder.path, ['app'])).not.toBe(hash);
  await writeFile(join(folder.path, 'app/page.tsx'), 'one');
  expect(await sourceHash(folder.path, ['app'])).toBe(hash);
  for (const name of ['proxy.ts', 'next.config.mjs', 'instrumentation-client.ts', 'package-lock.json']) {
    const before = await sourceHash(folder.path, ['app']);
    await writeFile(join(folder.path, name), '');
    expect(await sourceHash(folder.path, ['app']), name).not.toBe(before);
  }
});

test('two starts at once build once, a third start builds nothing, and a changed source builds again', async () => {
  await Promise.all([build(), build()]);
  await build();
  expect(await builds()).toBe('x');
  await writeFile(join(folder.path, 'app/page.tsx'), 'two');
  await build();
  expect(await builds()).toBe('xx');
});

test('a failed build shows its output and does not count as a build', async () => {
  await expect(build("console.log('no such module'); process.exit(1)")).rejects.toThrow(
    'The build failed.\nno such module',
  );
  await expect(build('process.exit(0)')).rejects.toThrow('The build failed.');
  await build();
  expect(await builds()).toBe('x');
});

test('a build that a running copy serves from is not replaced', async () => {
  await build();
  const users = join(folder.path, 'out/cache/atelier-users');
  await writeFile(join(users, processIdentity(process.ppid) ?? ''), '');
  await build();
  await writeFile(join(folder.path, 'app/page.tsx'), 'two');
  await expect(build()).rejects.toThrow(`process ${process.ppid} is running from it`);
  expect(await builds()).toBe('x');
});
