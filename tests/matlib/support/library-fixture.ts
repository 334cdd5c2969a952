import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { createLibrary, type LibraryOptions } from '@/lib/matlib/library';
import { searchQuery } from '@/lib/matlib/schema';
import { searchMaterials } from '@/lib/matlib/search-materials';
import { startFakeMatlib } from '@/tests/fakes/matlib/server';
import type { Behavior, Kind, RequestEvent } from '@/tests/fakes/matlib/state';
import { createTestClock } from '@/tests/matlib/support/test-clock';

export type Seen = Behavior & { counts: Record<Kind, number>; requests: RequestEvent[] };

/** The share of the library that a fixture serves by default. Clients load a small library faster. */
export const SHARE = 1 / 4;

/**
 * Starts a fake library with a share of its assets. The result also provides what a library client needs, such as a
 * clock and data folders.
 */
export async function startFixture(share = SHARE) {
  const fake = await startFakeMatlib({ port: 0, share });
  const folders: string[] = [];
  const clock = createTestClock();
  const warnings: unknown[] = [];

  async function control(method: 'GET' | 'PUT' | 'DELETE', change?: Partial<Behavior>): Promise<Seen> {
    const response = await fetch(`${fake.url}/control`, { method, body: change && JSON.stringify(change) });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as Seen;
  }

  return {
    fake,
    clock,
    warnings,
    behave: (change: Partial<Behavior>) => control('PUT', change),
    seen: () => control('GET'),
    reset: async () => {
      warnings.length = 0;
      await control('DELETE');
    },
    async dataDir(): Promise<string> {
      const folder = await mkdtemp(join(tmpdir(), 'atelier-matlib-'));
      folders.push(folder);
      return folder;
    },
    /** Creates a library client with empty memory caches, as in a process that has just started. */
    async library(changes: Partial<LibraryOptions> = {}) {
      return createLibrary({
        url: fake.url,
        userAgent: 'Atelier/0 (+http://atelier.test)',
        assetHosts: fake.host,
        dataDir: changes.dataDir ?? (await this.dataDir()),
        clock,
        // Computing colors would make the fake draw hundreds of thumbnails for each client.
        colorsAtOnce: 0,
        log: { warn: (...line: unknown[]) => warnings.push(line) },
        ...changes,
      });
    },
    async stop(): Promise<void> {
      await fake.stop();
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
    },
  };
}
export type Fixture = Awaited<ReturnType<typeof startFixture>>;

/** Searches with parameters as written in a URL. */
export async function search(
  library: Awaited<ReturnType<Fixture['library']>>,
  params: Record<string, string> = {},
) {
  const { value, headers } = await searchMaterials(library, searchQuery.parse(params));
  return { ...value, headers };
}

/** Waits until `check` passes, for up to 30 seconds. */
export function eventually<T>(check: () => Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 30_000 });
}
