import { setTimeout as sleep } from 'node:timers/promises';
import type { Product } from '@/tests/soak/product';

/** The faults of one round, which are injected in random order before the next round begins. */
const round = [
  ...Array<FaultName>(4).fill('kill app'),
  ...Array<FaultName>(3).fill('kill worker'),
  ...Array<FaultName>(3).fill('kill browser'),
  'kill backend',
  'freeze app',
  'freeze backend',
  'freeze workflow',
] as const;

export type FaultName =
  | 'kill app'
  | 'kill worker'
  | 'kill browser'
  | 'kill backend'
  | 'freeze app'
  | 'freeze backend'
  | 'freeze workflow';

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

async function strike(product: Product, fault: FaultName, ms: number): Promise<void> {
  switch (fault) {
    case 'kill app':
      return product.killApp();
    case 'kill worker':
      return product.killWorker();
    case 'kill backend':
      return product.killBackend();
    case 'kill browser':
      await product.killBrowsers();
      return;
    case 'freeze app':
      return product.freezeApp(ms);
    case 'freeze backend':
      return product.freezeBackend(ms);
    case 'freeze workflow':
      return product.freezeWorkflow(ms);
  }
}

/** Injects one fault after another while `goesOn` returns true; counts each in `done` once it is over. */
export async function injectFaults(
  product: Product,
  random: () => number,
  goesOn: () => boolean,
  done: Record<FaultName, number>,
): Promise<void> {
  while (goesOn()) {
    for (const fault of shuffled(round, random)) {
      if (!goesOn()) return;
      // The pause gives work time to start. Draw `length` even for faults that do not use it, so the random sequence
      // depends only on the seed.
      const [pause, length] = [300 + random() * 900, 500 + random() * 2_500];
      await sleep(pause);
      await strike(product, fault, length);
      done[fault] += 1;
    }
  }
}
