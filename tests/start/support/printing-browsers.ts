import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { processesOf } from '@/tests/start/support/launch';

/**
 * The browsers of a data folder, as `pid command` lines; with `type` their helper processes of that type,
 * such as `renderer`.
 */
export function browsersOf(dataDir: string, type?: string): string[] {
  return processesOf(dataDir).filter(
    (line) =>
      line.includes('/chromium ') && line.includes('--type=') === Boolean(type) && line.includes(type ?? ''),
  );
}

/** The processes among these that own a browser profile, once for each profile. */
export async function profileOwners(pids: ReadonlySet<number>): Promise<number[]> {
  return (await readdir(tmpdir())).flatMap((name) => {
    const owner = Number(/^atelier-chromium-(\d+)-/.exec(name)?.[1]);
    return pids.has(owner) ? [owner] : [];
  });
}

/** The pids of all processes of a data folder. */
export function pidsOf(dataDir: string): number[] {
  return processesOf(dataDir).map((line) => Number.parseInt(line, 10));
}
