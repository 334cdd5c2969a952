import { readFileSync } from 'node:fs';

type ProcessStat = { name: string; parent: number; startedAt: string };

/** Reads /proc/PID/stat of a process; undefined if it does not exist or is a zombie. */
export function processStat(pid: number): ProcessStat | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in parentheses, and can contain spaces and parentheses.
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

/** Identifies a process by pid and start time, because pids are reused. Undefined if it is not running. */
export function processIdentity(pid: number): string | undefined {
  const stat = processStat(pid);
  return stat && `${pid}@${stat.startedAt}`;
}

/** The pid of an identity if that process is still running, otherwise undefined. */
export function livePid(identity: string): number | undefined {
  const pid = Number.parseInt(identity, 10);
  return processIdentity(pid) === identity ? pid : undefined;
}
