import { LRUCache } from 'lru-cache';
import { concurrencyLimit } from '@/lib/process/fair-queue';
import { type Mode, modeFromName, pickMode, seededRandom, type Weights } from '@/tests/fakes/workflow/modes';

const REMEMBERED_IDS = 10_000;
const LISTED_EVENTS = 2000;
const LISTED_RULES = 500;
const FILES_AT_ONCE = 3;

export type FakeSettings = {
  /** The key that the app signs triggers with, as `whsec_…`. */
  signingSecret: string;
  /** The secret of the spec callback. */
  webhookSecret: string;
  /** The secret of the image callback. */
  imageWebhookSecret: string;
  /** Milliseconds of simulated work before a callback. Default 1500. */
  delayMs?: number;
  /** Mode for triggers without a rule or tag. Default ok. */
  mode?: Mode;
  /**
   * First pause in milliseconds between two tries of a fetch, an upload or a callback. The pause doubles with each try.
   * Default 250.
   */
  retryBaseMs?: number;
  /**
   * Longest pause in milliseconds between two tries of a callback, even if Retry-After asks for more. Default 10
   * seconds.
   */
  longestPauseMs?: number;
  log?: (line: string) => void;
};

/** How to handle one trigger. In the mode `flaky`, the first `times` attempts with the same trigger id get 500. */
export type Plan = { mode: Mode; delayMs: number; times: number };
/**
 * How to handle the triggers of one subject. `script` lists the modes of the next triggers, one for each; after those,
 * the rest of the rule applies.
 */
export type Rule = Partial<Plan> & { weights?: Weights; script?: Mode[] };
export type TriggerEvent = {
  at: string;
  type: string;
  id: string;
  attempt: number;
  subject: string;
  run: number;
  asked?: Record<string, unknown>;
  mode: Mode | 'duplicate';
};
export type CallbackEvent = {
  at: string;
  id: string;
  subject: string;
  url: string;
  body: unknown;
  tries: number;
  /** Status of the response to the last try, or null if that try got no response. */
  status: number | null;
};
export type FakeState = ReturnType<typeof createFakeState>;

/** Creates the state of the fake: its behavior, the accepted ids, and a bounded number of recorded events. */
export function createFakeState(settings: FakeSettings) {
  const state = {
    settings,
    log: settings.log ?? (() => undefined),
    retryBaseMs: settings.retryBaseMs ?? 250,
    longestPauseMs: settings.longestPauseMs ?? 10_000,
    inSlot: concurrencyLimit(FILES_AT_ONCE),
    ...freshMemory(settings),
  };
  return Object.assign(state, {
    /** Restores the initial state and drops planned callbacks. */
    reset() {
      state.abort.abort();
      Object.assign(state, freshMemory(settings));
    },
  });
}

function freshMemory({ mode = 'ok', delayMs = 1500 }: FakeSettings) {
  const seed = 1;
  return {
    mode: mode as Mode,
    weights: undefined as Weights | undefined,
    delayMs,
    times: 2,
    seed,
    random: seededRandom(seed),
    rules: new LRUCache<string, Rule>({ max: LISTED_RULES }),
    accepted: new LRUCache<string, true>({ max: REMEMBERED_IDS }),
    stumbles: new LRUCache<string, number>({ max: REMEMBERED_IDS }),
    triggers: [] as TriggerEvent[],
    callbacks: [] as CallbackEvent[],
    undelivered: [] as string[],
    counts: { triggers: 0, callbacks: 0, underWay: 0 },
    abort: new AbortController(),
  };
}

/** Chooses how to handle a trigger: by the rule for its subject, by the tag in its name, or by the default behavior. */
export function choosePlan(state: FakeState, subject: string, name: string | null, run: number): Plan {
  const rule = state.rules.get(subject);
  const rest = { delayMs: rule?.delayMs ?? state.delayMs, times: rule?.times ?? state.times };
  const scripted = rule?.script?.shift();
  if (scripted) return { mode: scripted, ...rest };
  if (rule?.weights) return { mode: pickMode(rule.weights, state.random()), ...rest };
  const named = rule?.mode ?? modeFromName(name, run);
  if (named) return { mode: named, ...rest };
  return { mode: state.weights ? pickMode(state.weights, state.random()) : state.mode, ...rest };
}

/** Adds an event to a list and removes the oldest one if the list exceeds its limit. */
export function record<T>(events: T[], event: T): void {
  events.push(event);
  if (events.length > LISTED_EVENTS) events.shift();
}
