import { setTimeout as sleep } from 'node:timers/promises';
import { fetchWithRetry, isTemporary } from '@/tests/fakes/workflow/http-retry';
import type { Output } from '@/tests/fakes/workflow/image-outputs';
import type { Mode } from '@/tests/fakes/workflow/modes';
import { type FakeState, type Plan, record } from '@/tests/fakes/workflow/state';

const CALLBACK_TIMEOUT_MS = 10_000;
const SLOW_FACTOR = 10;
const LONGEST_WAIT_MS = 2 ** 31 - 1;
const TOLD_TO_FAIL = 'the workflow was told to fail';

export type Callback = { url: string; secretHeader: string; secret: string; body: object | string };

/**
 * Returns how long a mode simulates work, in milliseconds. `untilDeadline` is the time until the trigger's deadline,
 * also in milliseconds.
 */
export function workDuration(
  { mode, delayMs }: Pick<Plan, 'mode' | 'delayMs'>,
  untilDeadline: number,
): number {
  const durations: Partial<Record<Mode, number>> = {
    fast: 0,
    slow: delayMs * SLOW_FACTOR,
    late: Math.max(untilDeadline, 0) + delayMs,
  };
  return Math.min(durations[mode] ?? delayMs, LONGEST_WAIT_MS);
}

/**
 * Starts the simulated work of a mode. Returns a function that takes a share of the work's duration, from 0 to 1, and
 * waits until that share has passed since the start. Real work that is done in the meantime shortens the wait.
 * `deadlineAt` is the trigger's deadline as an ISO time.
 */
export function startPace(plan: Plan, deadlineAt: string, signal: AbortSignal) {
  const start = Date.now();
  const duration = workDuration(plan, Date.parse(deadlineAt) - start);
  return async (share: number): Promise<void> => {
    await sleep(Math.max(start + duration * share - Date.now(), 0), undefined, { signal });
  };
}

type Body = { output_paths?: Output[]; sections?: object[] };

function withPaths(body: Body, change: (path: string) => string): Body {
  return {
    ...body,
    output_paths: body.output_paths?.map((output) => ({ ...output, path: change(output.path) })),
  };
}

/** Returns the body in a form that is not the documented one but as clear. */
function inOddForm(mode: Mode, body: Body): object {
  switch (mode) {
    case 'paths':
      return { ...body, output_paths: body.output_paths?.map(({ path }) => path) };
    case 'no-ids':
      return { ...body, output_paths: body.output_paths?.map(({ variant_id: _, ...rest }) => rest) };
    case 'bad-section':
      return { ...body, sections: [...(body.sections ?? []), { page: 1 }, { title: 'Appendix', page: 0 }] };
    case 'numbers-as-text':
      return JSON.parse(JSON.stringify(body), (_, value) =>
        typeof value === 'number' ? String(value) : value,
      );
    case 'completed':
      return { ...body, status: 'Completed' };
    case 'same-id':
      return { ...body, output_paths: body.output_paths?.map((output) => ({ ...output, variant_id: 'v1' })) };
    case 'slash-path':
      return withPaths(body, (path) => `/${path}`);
    case 'no-bucket':
      return withPaths(body, (path) => path.replace('images/', ''));
    case 'reused-path':
      return withPaths(body, (path) => path.replace(/\/\d+\/([^/]+)$/, '/1/$1'));
    default:
      return [body];
  }
}

/**
 * Returns the callbacks that a mode sends when the work is done, in order. `right` is the correct callback, and
 * `failure` builds the body of a failed result from a reason.
 */
export function callbacksFor(mode: Mode, right: Callback, failure: (reason: string) => object): Callback[] {
  switch (mode) {
    case 'fail':
      return [{ ...right, body: failure(TOLD_TO_FAIL) }];
    case 'twice':
      return [right, right];
    case 'conflict':
      return [right, { ...right, body: failure('a second opinion that comes too late') }];
    case 'stale-run':
      return [{ ...right, url: runBefore(right.url), body: failure('from the run before') }, right];
    case 'garbage':
      return [{ ...right, body: JSON.stringify(right.body).slice(0, -2) }, right];
    case 'paths':
    case 'no-ids':
    case 'bad-section':
    case 'numbers-as-text':
    case 'list':
    case 'completed':
    case 'same-id':
    case 'slash-path':
    case 'no-bucket':
      return [{ ...right, body: inOddForm(mode, right.body as Body) }];
    case 'error-object':
      return [{ ...right, body: { ...failure(''), error: { message: TOLD_TO_FAIL, code: 'told' } } }];
    case 'nul':
      return [{ ...right, body: failure(`\0${TOLD_TO_FAIL}`) }];
    case 'no-run':
    case 'late-no-run':
      return [withoutRun(right)];
    case 'redelivered':
      return [withoutRun(right), withoutRun(right)];
    case 'fail-redelivered':
      return Array<Callback>(2).fill(withoutRun({ ...right, body: failure(TOLD_TO_FAIL) }));
    case 'reused-path':
      return [withoutRun({ ...right, body: inOddForm(mode, right.body as Body) })];
    case 'one-by-one': {
      const { output_paths = [] } = right.body as Body;
      return output_paths.map((output) => ({
        ...right,
        body: { ...(right.body as Body), output_paths: [output] },
      }));
    }
    case 'not-json':
      return [{ ...right, body: 'status=done' }];
    case 'wrong-secret':
      return [{ ...right, secret: 'not-the-secret-that-was-agreed' }];
    default:
      return [right];
  }
}

/** Returns a promise that resolves once a later run of the same subject has been triggered. */
async function laterRun(state: FakeState, { subject, run }: Subject, signal: AbortSignal): Promise<void> {
  while (!state.triggers.some((each) => each.subject === subject && each.run > run)) {
    await sleep(20, undefined, { signal });
  }
}

type Subject = { id: string; subject: string; run: number };

/** Sends the callbacks that a mode sends when the work is done. `right` and `failure` are as for `callbacksFor`. */
export async function sendResult(
  state: FakeState,
  about: Subject,
  mode: Mode,
  right: Callback,
  failure: (reason: string) => object,
  signal: AbortSignal,
): Promise<void> {
  const callbacks = callbacksFor(mode, right, failure);
  if (mode === 'one-by-one') {
    await Promise.all(callbacks.map((each) => sendCallback(state, about, each, signal)));
    return;
  }
  for (const [index, each] of callbacks.entries()) {
    const isRepeat = index === 1 && (mode === 'redelivered' || mode === 'fail-redelivered');
    if (isRepeat || mode === 'late-no-run') await laterRun(state, about, signal);
    await sendCallback(state, about, each, signal);
  }
}

/** Sends one callback, retries after temporary failures, and records the status of the last response. */
export async function sendCallback(
  state: FakeState,
  { id, subject }: Omit<Subject, 'run'>,
  callback: Callback,
  signal: AbortSignal,
): Promise<void> {
  const { url, body } = callback;
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', [callback.secretHeader]: callback.secret },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
  const { retryBaseMs, longestPauseMs, callbacks, undelivered, counts } = state;
  const read = async (response: Response) => void (await response.body?.cancel());
  const options = { retryBaseMs, longestPauseMs, timeoutMs: CALLBACK_TIMEOUT_MS, signal, read };
  const { tries, status } = await fetchWithRetry(url, init, options);
  counts.callbacks += 1;
  record(callbacks, { at: new Date().toISOString(), id, subject, url, body, tries, status });
  // The fake has given up on such a callback. If no other callback arrives, the spec upload or image job times out.
  if (status === null || isTemporary(status)) record(undelivered, subject);
  state.log(`callback ${subject}: ${status ?? 'no answer'} after ${tries} ${tries === 1 ? 'try' : 'tries'}`);
}

function withoutRun(callback: Callback): Callback {
  const url = new URL(callback.url);
  url.search = '';
  return { ...callback, url: url.href };
}

function runBefore(address: string): string {
  const url = new URL(address);
  url.searchParams.set('run', String(Number(url.searchParams.get('run') ?? 1) - 1));
  return url.href;
}
