import { livePid, processIdentity, processStat } from '../process/live-process.ts';

/**
 * Returns the identities of this process's ancestors, up to and including the npm process that runs this script.
 * Returns an empty list if there is no such npm process.
 */
function ancestorsUpToNpm(): string[] {
  if (!process.env.npm_lifecycle_event) return [];
  const chain: string[] = [];
  for (let pid = process.ppid; pid > 1 && chain.length < 6; ) {
    const stat = processStat(pid);
    const identity = processIdentity(pid);
    if (!stat || !identity) return [];
    chain.push(identity);
    if (stat.name.startsWith('npm')) return chain;
    pid = stat.parent;
  }
  return [];
}

/**
 * Calls `callback` once when the npm process that runs this script exits, or when a shell between npm and this process
 * exits. If npm or the shell is killed with SIGKILL, this process gets no signal. Without the callback, this process
 * would keep running after the terminal command has ended.
 */
export function onNpmDeath(callback: () => void): void {
  const chain = ancestorsUpToNpm();
  if (chain.length === 0) return;
  const timer = setInterval(() => {
    if (chain.every((identity) => livePid(identity) !== undefined)) return;
    clearInterval(timer);
    callback();
  }, 1_000);
  timer.unref();
}
