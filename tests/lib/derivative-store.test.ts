import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { derivativeStore } from '@/lib/pdf/images/derivative-store';
import { makeDataDir } from '@/tests/setup/temporary-dir';

test('derived images are readable only by the owner of the process, even in an existing folder', async () => {
  const dataDir = await makeDataDir();
  try {
    const root = join(dataDir.path, 'images');
    await mkdir(root, { mode: 0o755 });
    const store = derivativeStore(root);
    const folder = await store.makeFolder();
    const jpeg = Buffer.from('bytes');
    await store.place('abcdef', { folder, name: '1' }, async () => ({
      width: 1,
      height: 1,
      jpeg,
      mask: null,
    }));
    const names = ['.', ...(await readdir(root, { recursive: true }))];
    expect(names).toContain('ab/abcdef');
    for (const name of names) {
      expect([name, (await stat(join(root, name))).mode & 0o077]).toEqual([name, 0]);
    }
  } finally {
    await dataDir.remove();
  }
});
