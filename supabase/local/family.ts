import { type Child, type SpawnOptions, spawnNode } from './children';
import { StartError } from './start-error';

export type Family = {
  /** Starts one more process; throws once the family is being stopped. */
  run(options: SpawnOptions): Child;
  /** Stops every process, those first that use the others. May be called more than once. */
  stop(): Promise<void>;
};

/** The processes of one start, so that none is forgotten when it is stopped, at whatever point that is. */
export function createFamily(onChange: (pids: number[]) => void): Family {
  const members = new Set<Child>();
  let stopping: Promise<void> | undefined;

  function changed(): void {
    onChange([...members].flatMap((child) => child.process.pid ?? []));
  }

  function run(options: SpawnOptions): Child {
    if (stopping) throw new StartError('Atelier was stopped before it was ready.');
    const spawned = spawnNode(options);
    const child: Child = {
      ...spawned,
      // Once it is stopped its pid may be given to a stranger.
      stop: async () => {
        await spawned.stop();
        members.delete(child);
      },
    };
    members.add(child);
    changed();
    return child;
  }

  async function stopAll(): Promise<void> {
    for (const first of [true, false]) {
      await Promise.all(
        [...members].filter((child) => child.stopFirst === first).map((child) => child.stop()),
      );
    }
  }

  return {
    run,
    stop() {
      stopping ??= stopAll();
      return stopping;
    },
  };
}
