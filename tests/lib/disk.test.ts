import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requireDiskSpace } from '@/lib/storage/disk';

test('a disk without enough space is refused with the name of its folder, and one with enough is not', async () => {
  await requireDiskSpace([tmpdir()], 1);
  // The file system at /proc has no free space.
  await expect(requireDiskSpace([tmpdir(), '/proc'], 1)).rejects.toThrow('The disk of /proc is full.');
  await requireDiskSpace([join(tmpdir(), 'not-made-yet')], 1);
});
