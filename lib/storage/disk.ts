import { statfs } from 'node:fs/promises';

/** Throws unless the disk of each folder has at least `bytes` bytes free. Skips folders that do not exist yet. */
export async function requireDiskSpace(folders: string[], bytes: number): Promise<void> {
  for (const folder of folders) {
    const disk = await statfs(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (disk && disk.bavail * disk.bsize < bytes) throw new Error(`The disk of ${folder} is full.`);
  }
}
