import type { Refused } from '@/lib/http/route';
import { logError } from '@/lib/log/log-error';
import { rateCounter } from '@/lib/rate-limit/rate-counter';
import { adminDb } from '@/lib/supabase/admin';
import { databaseError } from '@/lib/supabase/database-error';
import { idFields, runParam } from '@/lib/workflow/callback-schema';
import { callbackId } from '@/lib/workflow/read-callback';
import type { EventKind } from '../schema';
import { readUnauthenticated } from './read-unauthenticated';

/** Maximum number of writes per minute and reason. Further refusals are only counted. */
const WRITES_PER_MINUTE = 60;

/**
 * Limits how often refusals are written. The returned function takes the reason for a refusal. It returns 0 if the
 * refusal must not be written. Otherwise, it returns the number of refusals to write: this one plus the earlier
 * unwritten ones with the same reason.
 */
export function makeWriteLimiter(): (reason: string) => number {
  const count = rateCounter();
  const missed = new Map<string, number>();
  return (reason) => {
    const refusals = 1 + (missed.get(reason) ?? 0);
    const mustWait = count(reason, WRITES_PER_MINUTE) > 0;
    missed.set(reason, mustWait ? refusals : 0);
    return mustWait ? 0 : refusals;
  };
}

/**
 * Returns the `onRefused` handler of a callback route. The handler records the time, the reason and the id that the
 * body or the URL names, but never the body or the secret.
 */
export function recordRefused(kind: EventKind): (refused: Refused) => Promise<void> {
  const takeWrite = makeWriteLimiter();
  return async ({ error, body, request, log }) => {
    // A rate-limited sender is expected to try again, so the callback is not lost.
    if (error.code === 'rate_limited') return;
    const times = takeWrite(error.code);
    if (times === 0) return;
    try {
      // The secret is checked before the body is read, so `body` is undefined if the secret is wrong.
      const read = error.code === 'invalid_secret' ? await readUnauthenticated(request) : body;
      const url = new URL(request.url).searchParams;
      const { error: failure, status } = await adminDb().rpc('note_refused_callback', {
        p_source: kind,
        p_code: error.code,
        p_detail: error.message,
        p_subject: callbackId(kind, read, url.get(idFields[kind])),
        p_times: times,
        p_run: runParam.safeParse(url.get('run') ?? undefined).data,
      });
      if (failure) throw databaseError(failure, status);
    } catch (cause) {
      logError(log, cause, 'refused callback not recorded');
    }
  };
}
