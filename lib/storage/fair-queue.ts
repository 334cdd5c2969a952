import { sharedValue } from '@/lib/process/shared-value';

type FairQueue = {
  /**
   * Runs `work` when no other work in the queue is running. Owners with waiting work take turns, one piece of work at a
   * time.
   */
  run<T>(owner: string, work: () => Promise<T>): Promise<T>;
};

function makeFairQueue(): FairQueue {
  // A map keeps insertion order. After its turn, an owner with more work moves to the end.
  const waiting = new Map<string, (() => void)[]>();
  let busy = false;

  function next(): void {
    const first = waiting.entries().next().value;
    if (!first) {
      busy = false;
      return;
    }
    const [owner, [begin, ...later]] = first;
    waiting.delete(owner);
    if (later.length > 0) waiting.set(owner, later);
    begin?.();
  }

  return {
    async run(owner, work) {
      if (busy) {
        await new Promise<void>((begin) => {
          waiting.set(owner, [...(waiting.get(owner) ?? []), begin]);
        });
      }
      busy = true;
      try {
        return await work();
      } finally {
        next();
      }
    },
  };
}

/** Returns this process's fair queue for one kind of work, shared by all routes. */
export function fairQueue(kind: string): FairQueue {
  return sharedValue(`queue.${kind}`, makeFairQueue);
}
