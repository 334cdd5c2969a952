import { readFileSync } from 'node:fs';

type ProcessStat = { name: string; parent: number; startedAt: string };

/** The kernel's record of a process, or undefined when there is none (or a zombie that only waits for its parent). */
export function processStat(pid: number): ProcessStat | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name stands in parentheses and may itself hold spaces and parentheses.
    const end = stat.lastIndexOf(')');
    const [state, parent, ...rest] = stat.slice(end + 2).split(' ');
    if (state === 'Z' || state === 'X') return undefined;
    return {
      name: stat.slice(stat.indexOf('(') + 1, end),
      parent: Number(parent),
      startedAt: rest[17] ?? '',
    };
  } catch {
    return undefined;
  }
}

/** Names one life of a process: a pid alone may have been given to another one since. */
export function processIdentity(pid: number): string | undefined {
  const stat = processStat(pid);
  return stat && `${pid}@${stat.startedAt}`;
}

/** The pid of an identity that still runs, else undefined. */
export function livePid(identity: string): number | undefined {
  const pid = Number.parseInt(identity, 10);
  return processIdentity(pid) === identity ? pid : undefined;
}
