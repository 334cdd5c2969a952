import { livePid, processIdentity, processStat } from '@/lib/process/live-process';

/** Returns the ancestors of this process up to and including the npm that runs it as a script; empty outside of npm. */
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
 * Calls `callback` once when the npm that runs this script, or a shell in between, is gone. If it was killed with
 * SIGKILL, no signal arrives here, so Atelier would keep running after its terminal command has ended.
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
