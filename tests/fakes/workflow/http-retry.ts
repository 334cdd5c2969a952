import { setTimeout as sleep } from 'node:timers/promises';

const TRIES = 10;
const LONGEST_PAUSE_MS = 10_000;

export type RetryOptions<T> = {
  /** First pause in milliseconds; it doubles with each try, up to the longest pause. */
  retryBaseMs: number;
  /** Longest pause in milliseconds. Default 10 seconds. */
  longestPauseMs?: number;
  /** Timeout of one try in milliseconds, including reading the body. */
  timeoutMs: number;
  /** When the signal is aborted, the tries stop immediately and the call throws. */
  signal: AbortSignal;
  read: (response: Response) => Promise<T>;
};
export type Outcome<T> = { tries: number; status: number | null; body: T | null };

/**
 * Calls a URL until it gets a final response. Retries network errors, timeouts, 408, 429 and 5xx up to nine times. The
 * pauses grow and respect Retry-After, up to the longest pause. Redirects are never followed, so only URLs from a
 * verified trigger are called. `status` is null if the last try got no response or could not read it.
 */
export async function fetchWithRetry<T>(
  url: string,
  init: RequestInit,
  options: RetryOptions<T>,
): Promise<Outcome<T>> {
  for (let tries = 1; ; tries += 1) {
    const answer = await fetchOnce(url, init, options);
    if (answer && !isTemporary(answer.status)) return { tries, status: answer.status, body: answer.body };
    if (tries === TRIES) return { tries, status: answer?.status ?? null, body: null };
    const pause = Math.max(options.retryBaseMs * 2 ** (tries - 1), (answer?.retryAfter ?? 0) * 1000);
    await sleep(Math.min(pause, options.longestPauseMs ?? LONGEST_PAUSE_MS), undefined, {
      signal: options.signal,
    });
  }
}

async function fetchOnce<T>(url: string, init: RequestInit, { signal, timeoutMs, read }: RetryOptions<T>) {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const response = await fetch(url, { ...init, redirect: 'manual', signal: limit });
    const retryAfter = Number(response.headers.get('retry-after')) || 0;
    return { status: response.status, retryAfter, body: await read(response) };
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}

/** Returns whether a status means a temporary failure, after which a retry may succeed. */
export function isTemporary(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}
