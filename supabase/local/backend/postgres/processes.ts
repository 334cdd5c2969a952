import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Whether a process with this pid exists, including zombies. */
export function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function statFields(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** The start time of a process in kernel ticks, which distinguishes reused pids; '' without /proc. */
export function processStart(pid: number): string {
  return statFields(pid)[19] ?? '';
}

/** Whether a process has exited but was not yet reaped by its parent. It holds no locks or ports anymore. */
export function isZombie(pid: number): boolean {
  return statFields(pid)[0] === 'Z';
}

/** The command line of a process, joined by spaces; '' if it cannot be read. */
export function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    if (process.platform === 'linux') return '';
  }
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/** Waits up to `ms` milliseconds until a process has exited. Returns whether it has. */
export async function hasEnded(pid: number, ms: number): Promise<boolean> {
  const until = Date.now() + ms;
  while (isAlive(pid) && !isZombie(pid)) {
    if (Date.now() > until) return false;
    await sleep(20);
  }
  return true;
}
