import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Throws ENOSPC unless the disk of a folder, which need not exist yet, has at least `bytes` bytes free. */
export async function requireDiskSpace(folder: string, bytes: number): Promise<void> {
  const path = resolve(folder);
  const disk = await statfs(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && path !== '/') return null;
    throw error;
  });
  if (!disk) return requireDiskSpace(dirname(path), bytes);
  if (disk.bavail * disk.bsize < bytes) {
    const mb = Math.ceil(bytes / 1024 / 1024);
    throw Object.assign(new Error(`The disk of ${path} has less than ${mb} MB free.`), { code: 'ENOSPC' });
  }
}
