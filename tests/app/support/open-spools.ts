import { readdirSync, readlinkSync } from 'node:fs';

/**
 * Returns the spool files that a process (by default, any process on this machine) holds open. These files have already
 * been unlinked.
 */
export function openSpools(pid?: number): string[] {
  const pids = pid === undefined ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [pid];
  return pids
    .flatMap((each) => {
      try {
        return readdirSync(`/proc/${each}/fd`).map((fd) => readlinkSync(`/proc/${each}/fd/${fd}`));
      } catch {
        return [];
      }
    })
    .filter((target) => /atelier-[0-9a-f-]{36} \(deleted\)$/.test(target));
}
