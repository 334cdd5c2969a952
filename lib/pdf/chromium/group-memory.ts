import { readdir, readFile } from 'node:fs/promises';

/** The value of a line of /proc/<pid>/status, in bytes. */
function bytesOf(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1024;
}

/** The memory of one process that is not backed by files, in bytes; 0 when it is in another group or has ended. */
async function memoryOf(pid: string, group: number): Promise<number> {
  try {
    // The fields after the process name, which may contain any character: state, parent, group.
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]) !== group) return 0;
    const status = await readFile(`/proc/${pid}/status`, 'latin1');
    return bytesOf(status, 'RssAnon') + bytesOf(status, 'RssShmem');
  } catch {
    return 0;
  }
}

/** The memory used by the processes of a group, in bytes; 0 on a machine without /proc. */
export async function groupMemory(group: number): Promise<number> {
  const names = await readdir('/proc').catch(() => []);
  const sizes = await Promise.all(
    names.filter((name) => /^\d+$/.test(name)).map((pid) => memoryOf(pid, group)),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
