import { readdir, readFile } from 'node:fs/promises';
import { parseStat } from '@/lib/process/live-process';

/** Returns the value of a line of /proc/<pid>/status, in bytes. */
function bytesOf(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1024;
}

/** Returns the bytes of a process's memory that are not backed by files; 0 if it is in another group or has exited. */
async function memoryOf(pid: string, group: number): Promise<number> {
  try {
    if (parseStat(await readFile(`/proc/${pid}/stat`, 'latin1')).group !== group) return 0;
    const status = await readFile(`/proc/${pid}/status`, 'latin1');
    return bytesOf(status, 'RssAnon') + bytesOf(status, 'RssShmem');
  } catch {
    return 0;
  }
}

/** Returns the memory used by the processes of a group, in bytes; 0 on a machine without /proc. */
export async function groupMemory(group: number): Promise<number> {
  const names = await readdir('/proc').catch(() => []);
  const sizes = await Promise.all(
    names.filter((name) => /^\d+$/.test(name)).map((pid) => memoryOf(pid, group)),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
