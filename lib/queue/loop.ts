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
const IDLE_MS = 1_000;
const REAP_MS = 10_000;
/**
 * The largest accepted difference from the database's clock. Leases and deadlines are accurate enough within it, and it
 * is well below the five minutes at which receivers reject a signature.
 */
const MAX_CLOCK_LEAD_MS = 60_000;
const CLOCK_CHECK_MS = 60_000;

type Loop = {
  /** Claims and runs due items until none is left or `ms` have passed. Returns the number of claimed items. */
  drain: (ms: number) => Promise<number>;
  /** Stops the loop. It claims no more items, and waits until running items finish or are released. */
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
  // Each kind with its own limit is claimed separately, all other kinds together.
  const groups = [...Map.groupBy(kinds, (kind) => (handlers[kind]?.parallel ? kind : '')).values()];
  let claiming: Promise<number> | null = null;
  /** Whether the last claim filled all places of a group, so that more of its items may be due. */
  let isFull = false;
  let isRefillPlanned = false;
  let timer: NodeJS.Timeout | undefined;
  let reapedAt = 0;
  let clock = { checkedAt: Number.NEGATIVE_INFINITY, isRight: true };

  // The interval is measured with `performance.now`, because the system clock is what is being checked.
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

  async function claimGroup(group: string[]): Promise<number> {
    if (stopping.signal.aborted) return 0;
    const free = freeFor(group);
    const items = free > 0 ? await claim(group, worker, free) : [];
    if (items.length >= free) isFull = true;
    for (const item of items) {
      const handler = handlers[item.kind];
      if (!handler) continue;
      const work = runItem(handler, item, stopping.signal, log).finally(() => {
        running.delete(work);
        if (isFull) void refill();
      });
      running.set(work, item.kind);
    }
    return items.length;
  }

  // Only one claim runs at a time: a concurrent call waits for it and then claims again.
  async function fill(): Promise<number> {
    while (claiming) await claiming.catch(() => 0);
    claiming = (async () => {
      let claimed = 0;
      if (!(await hasRightClock())) return 0;
      isFull = false;
      for (const group of groups) claimed += await claimGroup(group);
      return claimed;
    })();
    try {
      return await claiming;
    } finally {
      claiming = null;
    }
  }

  /** Claims items for places that have become free. Items often end together, so calls are combined. */
  async function refill(): Promise<void> {
    if (isRefillPlanned || stopping.signal.aborted) return;
    isRefillPlanned = true;
    await claiming?.catch(() => 0);
    isRefillPlanned = false;
    // The next turn reports the error if it persists.
    await fill().catch(() => 0);
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
    try {
      await fill();
      if (Date.now() - reapedAt > REAP_MS) {
        reapedAt = Date.now();
        await reap(log);
      }
    } catch (error) {
      logError(log, error, 'work loop failed');
    }
    if (!stopping.signal.aborted) timer = setTimeout(turn, IDLE_MS);
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

/** Makes this process's loop, if there is one, claim work now instead of at its next interval. Never throws. */
export async function nudgeLoop(): Promise<void> {
  await shared.loop?.drain(0).catch(() => 0);
}
