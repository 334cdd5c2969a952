import { readdir, readFile } from 'node:fs/promises';

/** The number after a name in the lines of /proc/<pid>/status, in bytes. */
function bytesOf(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1024;
}

/** The memory of one process that no file stands behind, in bytes; 0 when it is of another group, or gone. */
async function memoryOf(pid: string, group: number): Promise<number> {
  try {
    // After the name, which may hold anything: state, parent, group.
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]) !== group) return 0;
    const status = await readFile(`/proc/${pid}/status`, 'latin1');
    return bytesOf(status, 'RssAnon') + bytesOf(status, 'RssShmem');
  } catch {
    return 0;
  }
}

/** The memory that the processes of a group take from the machine, in bytes. 0 where there is no /proc to read it from. */
export async function groupMemory(group: number): Promise<number> {
  const names = await readdir('/proc').catch(() => []);
  const sizes = await Promise.all(
    names.filter((name) => /^\d+$/.test(name)).map((pid) => memoryOf(pid, group)),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
