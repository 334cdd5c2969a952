import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { processesOf } from '@/tests/start/support/launch';

/**
 * Returns the browsers of a data folder, as `pid command` lines. With `type`, such as `renderer`, returns the browsers'
 * helper processes of that type instead.
 */
export function browsersOf(dataDir: string, type?: string): string[] {
  return processesOf(dataDir).filter(
    (line) =>
      line.includes('/chromium ') && line.includes('--type=') === Boolean(type) && line.includes(type ?? ''),
  );
}

/**
 * Returns the owner of each browser profile, if it is one of the given pids. A pid that owns several profiles is
 * returned several times.
 */
export async function profileOwners(pids: ReadonlySet<number>): Promise<number[]> {
  return (await readdir(tmpdir())).flatMap((name) => {
    const owner = Number(/^atelier-chromium-(\d+)-/.exec(name)?.[1]);
    return pids.has(owner) ? [owner] : [];
  });
}

/** Returns the pids of all processes that use a data folder. */
export function pidsOf(dataDir: string): number[] {
  return processesOf(dataDir).map((line) => Number.parseInt(line, 10));
}
