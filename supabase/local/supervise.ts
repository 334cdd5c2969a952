import { setTimeout as sleep } from 'node:timers/promises';
import { sentenceCase } from './children';

const pausesMs = [500, 1_000, 2_000, 5_000, 10_000, 30_000];
const CALM_MS = 10 * 60_000;

type Plan = {
  /** Starts a part again; rejects when it ends while starting. */
  restart(what: string): Promise<void>;
  /** Answers the clients of a part that is down; resolves with how to stop that. */
  standIn(what: string): Promise<() => Promise<void>>;
  log(line: string): void;
  /** Called when a part has ended too often. */
  giveUp(): void;
  /** The pause before each new start; a part that ends once more within ten minutes is given up. */
  pauses?: number[];
  signal: AbortSignal;
};

/**
 * Starts a part of the product again when it ends by itself, after pauses that grow, and gives up when it ends too
 * often. Returns what to call at such an end, with its exit code or signal in words.
 */
export function supervise(plan: Plan): (what: string, how: string) => void {
  const { restart, standIn, log, giveUp, pauses = pausesMs, signal } = plan;
  const ends = new Map<string, number[]>();
  const down = new Set<string>();

  async function waitBeforeStart(what: string, pause: number): Promise<void> {
    const leave = await standIn(what);
    await sleep(pause, undefined, { signal }).finally(leave);
  }

  async function startAgain(what: string, how: string): Promise<void> {
    for (let reason = how; ; ) {
      const recent = (ends.get(what) ?? []).filter((at) => Date.now() - at < CALM_MS);
      const pause = pauses[recent.length];
      if (pause === undefined) {
        log(`Atelier stops: ${what} has ended by itself too often (${reason}).`);
        return giveUp();
      }
      ends.set(what, [...recent, Date.now()]);
      log(`${sentenceCase(what)} has ended by itself (${reason}). It starts again in ${pause / 1000} s.`);
      try {
        await waitBeforeStart(what, pause);
        await restart(what);
        return log(`${sentenceCase(what)} is running again.`);
      } catch (error) {
        if (signal.aborted) return;
        reason = error instanceof Error ? error.message : String(error);
      }
    }
  }

  return (what, how) => {
    // A part that ends while it starts again is told by `restart`.
    if (down.has(what) || signal.aborted) return;
    down.add(what);
    void startAgain(what, how).finally(() => down.delete(what));
  };
}
