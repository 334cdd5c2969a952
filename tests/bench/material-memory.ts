import { systemClock } from '@/lib/matlib/clock';
import { getInfo } from '@/lib/matlib/get-info';
import { createLibrary } from '@/lib/matlib/library';
import { searchQuery } from '@/lib/matlib/schema';
import { searchMaterials } from '@/lib/matlib/search-materials';
import type { BenchRow } from '@/tests/bench/row';
import { startFakeMatlib } from '@/tests/fakes/matlib/server';
import { makeDataDir } from '@/tests/setup/temporary-dir';

const REQUESTS = 100_000;
const CHECKS = 10;
const MOST_GROWTH_MB = 8;

async function heapMb(): Promise<number> {
  // Collect garbage twice, because some objects become collectable only after the first round.
  for (let round = 0; round < 2; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

/**
 * Runs 100,000 different searches, half of them followed by a lookup of an unknown asset, and measures the heap after
 * every 10,000 searches. The bar limits the heap's growth during the second half.
 */
export const materialMemory: BenchRow = {
  name: 'material-memory',
  isAbsolute: true,
  run: async () => {
    const { setFlagsFromString } = await import('node:v8');
    setFlagsFromString('--expose-gc');
    const { runInNewContext } = await import('node:vm');
    globalThis.gc ??= runInNewContext('gc') as NodeJS.GCFunction;
    const fake = await startFakeMatlib({ port: 0 });
    const dataDir = await makeDataDir();
    try {
      const library = createLibrary({
        url: fake.url,
        userAgent: 'Atelier/bench',
        assetHosts: fake.host,
        dataDir: dataDir.path,
        clock: systemClock,
        log: { warn: () => {} },
        colorsAtOnce: 0,
      });
      const heaps: number[] = [];
      for (let n = 0; n < REQUESTS; n += 1) {
        const q = n % 3 === 0 ? `oak ${n}` : '';
        await searchMaterials(
          library,
          searchQuery.parse({ q, offset: String(n % 9_000), limit: String(1 + (n % 97)) }),
        );
        if (n % 2 === 0) await getInfo(library, `unknown_${n}`).catch(() => undefined);
        if ((n + 1) % (REQUESTS / CHECKS) === 0) heaps.push(await heapMb());
      }
      const growth = (heaps.at(-1) ?? 0) - (heaps[CHECKS / 2 - 1] ?? 0);
      return {
        measured: `heap ${heaps[0]?.toFixed(0)} → ${heaps.at(-1)?.toFixed(0)} MB, second half ${growth.toFixed(1)} MB`,
        bar: `second half ≤ ${MOST_GROWTH_MB} MB`,
        holds: growth <= MOST_GROWTH_MB,
      };
    } finally {
      await fake.stop();
      await dataDir.remove();
    }
  },
};
