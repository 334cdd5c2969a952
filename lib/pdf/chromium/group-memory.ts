import { readdir, readFile } from 'node:fs/promises';
import { parseStat } from '@/lib/process/live-process';

/** Returns a field of /proc/<pid>/status in bytes, or 0 if it is missing. */
function bytesOf(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1024;
}

/**
 * Returns the size of a process's memory in bytes, without file-backed pages. Returns 0 if the process is not in
 * `group` or has exited.
 */
async function memoryOf(pid: string, group: number): Promise<number> {
  try {
    if (parseStat(await readFile(`/proc/${pid}/stat`, 'latin1')).group !== group) return 0;
    const status = await readFile(`/proc/${pid}/status`, 'latin1');
    return bytesOf(status, 'RssAnon') + bytesOf(status, 'RssShmem');
  } catch {
    return 0;
  }
}

/** Returns the memory that a process group uses, in bytes; 0 on a machine without /proc. */
export async function groupMemory(group: number): Promise<number> {
  const names = await readdir('/proc').catch(() => []);
  const sizes = await Promise.all(
    names.filter((name) => /^\d+$/.test(name)).map((pid) => memoryOf(pid, group)),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
