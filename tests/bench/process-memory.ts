import { readdirSync, readFileSync } from 'node:fs';

/** Returns the resident memory of a process in bytes, or 0 if it has exited. */
function residentBytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

function childrenOf(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const lists = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'));
    return lists.flatMap((list) => list.trim().split(' ').filter(Boolean).map(Number));
  } catch {
    return [];
  }
}

/** Returns the resident memory of a process and its descendants in bytes. */
export function treeBytes(pid: number): number {
  return residentBytes(pid) + childrenOf(pid).reduce((sum, child) => sum + treeBytes(child), 0);
}

/**
 * Returns the proportional set size of a process in bytes: its private memory plus its share of shared memory. Returns
 * 0 if the process has exited.
 */
export function proportionalBytes(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Returns the sum of the proportional set sizes of a process and its descendants, in bytes. */
export function treeProportionalBytes(pid: number): number {
  return (
    proportionalBytes(pid) + childrenOf(pid).reduce((sum, child) => sum + treeProportionalBytes(child), 0)
  );
}

/** Runs `work`. Returns its result and the largest `treeProportionalBytes` of the process `pid` while `work` ran. */
export async function withPeak<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ result: T; peakBytes: number }> {
  let peakBytes = treeProportionalBytes(pid);
  const watch = setInterval(() => {
    peakBytes = Math.max(peakBytes, treeProportionalBytes(pid));
  }, 50);
  try {
    const result = await work();
    return { result, peakBytes };
  } finally {
    clearInterval(watch);
  }
}
