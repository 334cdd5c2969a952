import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { logError } from '@/lib/log/log-error';
import { type Log, logger } from '@/lib/log/logger';
import { sharedValue } from '@/lib/process/shared-value';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import { clockLead } from './clock';
import { reap } from './reap';
import { LEASE_S, runItem } from './run-item';
import type { WorkHandlers } from './work';

const PARALLEL = 8;
/** Milliseconds between checks for due items. If due items may be left, the loop also checks when an item finishes. */
const IDLE_MS = 1_000;
const REAP_MS = 10_000;
/**
 * The largest accepted difference between this machine's clock and the database's, in milliseconds. It is small
 * compared to the deadlines of runs, and well below the five minutes after which receivers reject a signature.
 */
const MAX_CLOCK_LEAD_MS = 60_000;
const CLOCK_CHECK_MS = 60_000;

type Loop = {
  /**
   * Claims and runs due items until none is left or `ms` milliseconds have passed. Returns the number of claimed items.
   */
  drain: (ms: number) => Promise<number>;
  /** Stops claiming items. Resolves when all running items have finished or been released. */
  stop: () => Promise<void>;
};

// `loop` is undefined until `startLoop` is called. Not every process runs work items.
const shared = sharedValue('work-loop', (): { loop?: Loop } => ({}));

async function claim(kinds: string[], worker: string, limit: number) {
  const rows = dataOf(
    await adminDb().rpc('work_claim', {
      p_kinds: kinds,
      p_worker: worker,
      p_limit: limit,
      p_lease_s: LEASE_S,
    }),
  );
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    subjectId: row.subject_id,
    run: row.run,
    attempt: row.attempts,
    leaseToken: row.lease_token,
    requestId: row.request_id || null,
  }));
}

function makeLoop(handlers: WorkHandlers, log: Log): Loop {
  const worker = randomUUID();
  const stopping = new AbortController();
  const running = new Map<Promise<void>, string>();
  const kinds = Object.keys(handlers);
  // Each kind with its own limit is claimed separately. All other kinds are claimed together.
  const groups = [...Map.groupBy(kinds, (kind) => (handlers[kind]?.parallel ? kind : '')).values()];
  let claiming: Promise<number> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let reapedAt = 0;
  /** Whether due items may be left because the last claims ran out of capacity. */
  let mayHaveLeft = false;
  let isLooking = false;
  let lookAgain = false;
  let clock = { checkedAt: Number.NEGATIVE_INFINITY, isRight: true };

  // The interval is measured with `performance.now`, because the system clock itself is being checked.
  async function hasRightClock(): Promise<boolean> {
    if (performance.now() - clock.checkedAt < CLOCK_CHECK_MS) return clock.isRight;
    const leadMs = await clockLead();
    const isRight = Math.abs(leadMs) <= MAX_CLOCK_LEAD_MS;
    if (!isRight) {
      const leadSeconds = Math.round(leadMs / 1000);
      log.error({ leadSeconds }, "no work is claimed: this machine's clock differs from the database's");
    } else if (!clock.isRight) log.info('the clock is correct again: work is claimed');
    clock = { checkedAt: performance.now(), isRight };
    return isRight;
  }

  function freeFor(group: string[]): number {
    const mine = [...running.values()].filter((kind) => group.includes(kind)).length;
    const bound = handlers[group[0] ?? '']?.parallel ?? PARALLEL;
    return Math.min(bound - mine, PARALLEL - running.size);
  }

  async function claimAndRun(some: string[], limit: number): Promise<number> {
    if (limit <= 0 || stopping.signal.aborted) return 0;
    const items = await claim(some, worker, limit);
    for (const item of items) {
      const handler = handlers[item.kind];
      if (!handler) continue;
      const work = runItem(handler, item, stopping.signal, log).finally(() => {
        running.delete(work);
        // Look again if due items may be left, or if a claim in progress started before this capacity became free.
        if (mayHaveLeft || claiming) look();
      });
      running.set(work, item.kind);
    }
    return items.length;
  }

  // First claims a single item of any kind with free capacity, to check whether work is due. If none is due, makes no
  // other claim.
  async function claimAll(): Promise<number> {
    const open = groups.filter((group) => freeFor(group) > 0);
    mayHaveLeft = open.length < groups.length;
    let claimed = open.length > 0 ? await claimAndRun(open.flat(), 1) : 0;
    if (claimed === 0) return 0;
    for (const group of open) {
      const free = freeFor(group);
      const started = await claimAndRun(group, free);
      if (started >= free) mayHaveLeft = true;
      claimed += started;
    }
    return claimed;
  }

  // Only one call claims at a time. A concurrent call waits until that call is done, and then claims too.
  async function fill(): Promise<number> {
    while (claiming) await claiming.catch(() => 0);
    claiming = (async () => {
      if (!(await hasRightClock())) return 0;
      return claimAll();
    })();
    try {
      return await claiming;
    } finally {
      claiming = null;
    }
  }

  async function drain(ms: number): Promise<number> {
    const until = Date.now() + ms;
    let claimed = 0;
    for (;;) {
      const n = await fill();
      claimed += n;
      if (Date.now() >= until || stopping.signal.aborted) break;
      if (n === 0 && running.size === 0) break;
      if (running.size === 0) continue;
      // Items that take longer continue after `drain` returns.
      const over = sleep(until - Date.now(), undefined, { ref: false });
      await Promise.race([...running.keys(), over]);
    }
    return claimed;
  }

  async function turn(): Promise<void> {
    isLooking = true;
    do {
      lookAgain = false;
      try {
        await fill();
        if (Date.now() - reapedAt > REAP_MS) {
          reapedAt = Date.now();
          await reap(log);
        }
      } catch (error) {
        logError(log, error, 'work loop failed');
      }
    } while (lookAgain && !stopping.signal.aborted);
    isLooking = false;
    if (!stopping.signal.aborted) timer = setTimeout(turn, IDLE_MS);
  }

  /** Looks for work now. If the loop is already looking, it looks once more afterward. */
  function look(): void {
    lookAgain = true;
    if (isLooking || stopping.signal.aborted) return;
    clearTimeout(timer);
    void turn();
  }

  timer = setTimeout(turn, 0);

  return {
    drain,
    stop: async () => {
      clearTimeout(timer);
      stopping.abort();
      await claiming?.catch(() => 0);
      await Promise.all(running.keys());
    },
  };
}

/** Starts this process's loop if it is not running yet, and returns it. */
export function startLoop(handlers: WorkHandlers): Loop {
  shared.loop ??= makeLoop(handlers, logger());
  return shared.loop;
}

/** If this process has a loop, makes it claim work now instead of at its next check. Never throws. */
export async function nudgeLoop(): Promise<void> {
  await shared.loop?.drain(0).catch(() => 0);
}
