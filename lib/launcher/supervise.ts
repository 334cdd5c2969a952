import { setTimeout as sleep } from 'node:timers/promises';
import { sentenceCase } from './children.ts';

const pausesMs = [500, 1_000, 2_000, 5_000, 10_000, 30_000];
const CALM_MS = 10 * 60_000;

type Plan = {
  /** Restarts a process; rejects if it does not become ready. */
  restart(name: string): Promise<void>;
  /** Responds to clients while a process is down. Resolves with a function that stops responding. */
  placeholder(name: string): Promise<() => Promise<void>>;
  log(line: string): void;
  /** Called when a process has exited too often. */
  giveUp(): void;
  /**
   * The delays in milliseconds before a process is restarted. The first delay applies to its first exit within ten
   * minutes, the second delay to its second exit, and so on. If the process exits more often than there are delays,
   * `giveUp` is called.
   */
  pauses?: number[];
  signal: AbortSignal;
};

/**
 * Restarts each process that exits unexpectedly. The delay before the restart increases with each exit. Gives up if a
 * process exits too often. Returns a function to call at each unexpected exit, with the name of the process and its
 * exit code or signal.
 */
export function supervise(plan: Plan): (name: string, how: string) => void {
  const { restart, placeholder, log, giveUp, pauses = pausesMs, signal } = plan;
  const ends = new Map<string, number[]>();
  const down = new Set<string>();

  async function waitBeforeStart(name: string, pause: number): Promise<void> {
    const leave = await placeholder(name);
    await sleep(pause, undefined, { signal }).finally(leave);
  }

  async function startAgain(name: string, how: string): Promise<void> {
    for (let reason = how; ; ) {
      const recent = (ends.get(name) ?? []).filter((at) => Date.now() - at < CALM_MS);
      const pause = pauses[recent.length];
      if (pause === undefined) {
        log(`Atelier is stopping: ${name} has exited unexpectedly too often (${reason}).`);
        return giveUp();
      }
      ends.set(name, [...recent, Date.now()]);
      log(`${sentenceCase(name)} exited unexpectedly (${reason}). It restarts in ${pause / 1000} s.`);
      try {
        await waitBeforeStart(name, pause);
        await restart(name);
        return log(`${sentenceCase(name)} is running again.`);
      } catch (error) {
        if (signal.aborted) return;
        reason = error instanceof Error ? error.message : String(error);
      }
    }
  }

  return (name, how) => {
    // Ignore an exit during a restart. Such an exit makes `restart` reject, and `startAgain` handles the rejection.
    if (down.has(name) || signal.aborted) return;
    down.add(name);
    void startAgain(name, how).finally(() => down.delete(name));
  };
}
