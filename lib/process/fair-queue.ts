import { sharedValue } from './shared-value';

type FairQueue = {
  /**
   * Runs `work` when one of the queue's lanes is free. Owners with waiting work take turns, and an owner never has more
   * than one piece of work in the lanes.
   */
  run<T>(owner: string | symbol, work: () => Promise<T>): Promise<T>;
};

function makeFairQueue(lanes: number): FairQueue {
  // A map keeps insertion order. After its turn, an owner with more work moves to the end.
  const waiting = new Map<string | symbol, (() => void)[]>();
  const running = new Set<string | symbol>();

  function startNext(): void {
    if (running.size >= lanes) return;
    for (const [owner, [begin, ...later]] of waiting) {
      if (running.has(owner)) continue;
      waiting.delete(owner);
      if (later.length > 0) waiting.set(owner, later);
      running.add(owner);
      begin?.();
      return;
    }
  }

  return {
    async run(owner, work) {
      await new Promise<void>((begin) => {
        waiting.set(owner, [...(waiting.get(owner) ?? []), begin]);
        startNext();
      });
      try {
        return await work();
      } finally {
        running.delete(owner);
        startNext();
      }
    },
  };
}

/** Returns this process's fair queue for one kind of work, shared by all routes. It runs `lanes` pieces at a time. */
export function fairQueue(kind: string, lanes = 1): FairQueue {
  return sharedValue(`queue.${kind}`, () => makeFairQueue(lanes));
}

/** Returns a function that runs at most `max` pieces of work at a time. Other work waits in the order of the calls. */
export function concurrencyLimit(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  const queue = makeFairQueue(max);
  return (work) => queue.run(Symbol(), work);
}
