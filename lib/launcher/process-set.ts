import { StartError } from '../errors/start-error.ts';
import { type Child, type SpawnOptions, spawnNode } from './children.ts';

export type ProcessSet = {
  /** Starts a process. Throws a StartError after `stop` has been called. */
  run(options: SpawnOptions): Child;
  /** Stops all processes, dependent ones first. May be called more than once. */
  stop(): Promise<void>;
};

/**
 * Tracks the processes of one launch, so that all of them can be stopped at any point. Each time a process is added,
 * `onChange` gets the pids of all tracked processes.
 */
export function createProcessSet(onChange: (pids: number[]) => void): ProcessSet {
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
      // Forget the process once it has stopped, because another process can then get its pid.
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
