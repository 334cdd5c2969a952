import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isDiskFull } from '@/lib/errors/error-parts';
import { StartError, startMessage } from '@/lib/errors/start-error';
import { requireDiskSpace } from '@/lib/storage/disk';

test('a disk without enough space is refused with the name of its folder, and one with enough is not', async () => {
  await requireDiskSpace(tmpdir(), 1);
  // The file system at /proc has no free space.
  await expect(requireDiskSpace('/proc', 1)).rejects.toThrow('The disk of /proc has less than 1 MB free.');
  await requireDiskSpace(join(tmpdir(), 'not-made', 'yet'), 1);
  await expect(requireDiskSpace('/proc/not-made/yet', 1)).rejects.toThrow(
    'The disk of /proc has less than 1 MB free.',
  );
});

test('a full disk that ends a start is reported in one sentence, whether Node or Postgres notices it', async () => {
  const full = await writeFile('/dev/full', 'x').catch((error: unknown) => error);
  const initdb = new StartError(
    'initdb: error: could not write file: No space left on device\ninitdb: removing',
  );
  for (const error of [full, initdb, Object.assign(new Error('x'), { code: '53100' })]) {
    expect(isDiskFull(error)).toBe(true);
    expect(startMessage(error)).toMatch(/^There is not enough disk space [^\n]*\.$/);
  }
  expect(startMessage(new StartError('The port is taken.'))).toBe('The port is taken.');
  expect(startMessage(new Error('x'), 'The backend')).toBe('The backend failed to start: x.');
});
