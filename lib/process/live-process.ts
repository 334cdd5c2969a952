import { readdirSync, readFileSync } from 'node:fs';

type ProcessStat = { name: string; state: string; parent: number; group: number; startedAt: string };

/** Parses the contents of /proc/PID/stat. */
export function parseStat(stat: string): ProcessStat {
  // The process name is in parentheses. It can itself contain spaces and parentheses, so it ends at the last `)`.
  const end = stat.lastIndexOf(')');
  const [state = '', parent, group, ...rest] = stat.slice(end + 2).split(' ');
  return {
    name: stat.slice(stat.indexOf('(') + 1, end),
    state,
    parent: Number(parent),
    group: Number(group),
    startedAt: rest[16] ?? '',
  };
}

/**
 * Reads /proc/PID/stat of a process. Returns undefined if the process does not exist or is a zombie, which holds no
 * locks or ports.
 */
export function processStat(pid: number): ProcessStat | undefined {
  try {
    const stat = parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return stat.state === 'Z' || stat.state === 'X' ? undefined : stat;
  } catch {
    return undefined;
  }
}

/** Returns whether a process with this pid is running. A zombie does not count as running. */
export function isRunning(pid: number): boolean {
  return processStat(pid) !== undefined;
}

/**
 * Returns a process's pid and start time as its identity, because pids are reused. Returns undefined if the process is
 * not running.
 */
export function processIdentity(pid: number): string | undefined {
  const stat = processStat(pid);
  return stat && `${pid}@${stat.startedAt}`;
}

/** Returns the pid from an identity if that process is still running, otherwise undefined. */
export function livePid(identity: string): number | undefined {
  const pid = Number.parseInt(identity, 10);
  return processIdentity(pid) === identity ? pid : undefined;
}

/** Returns the command line of a process, with spaces between the arguments, or '' if it cannot be read. */
export function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** Returns the pids of the processes whose command line contains `text`, or none on a system without /proc. */
export function pidsByCommandLine(text: string): number[] {
  try {
    const pids = readdirSync('/proc').flatMap((name) => Number(name) || []);
    return pids.filter((pid) => commandLine(pid).includes(text));
  } catch {
    return [];
  }
}

/**
 * Sends a signal to a process or, with a negative pid, to a process group. Signal 0 only checks that the target exists.
 * Returns false if the target does not exist or belongs to another user.
 */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
