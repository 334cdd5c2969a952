import { ApiError } from '@/lib/http/client';

/** What the run needs from outside, so that it can be tried without a server. */
export type RetryApi = {
  /** One page of the ids of failed specs, and the cursor of the next one. */
  listFailed(cursor: string | null): Promise<{ ids: string[]; nextCursor: string | null }>;
  retry(id: string): Promise<void>;
  /** Resolves after `ms`; rejects when the run is called off. */
  wait(ms: number): Promise<void>;
};

export type RetryProgress = {
  total: number;
  retried: number;
  /** No longer failed, or gone: somebody else was quicker. */
  skipped: number;
  errors: { id: string; error: unknown }[];
  /** The server asked for a slower pace. */
  waiting: boolean;
};

const PAUSE_MS = 10_000;

/**
 * Retries every failed spec that `listFailed` gives, one after the other, and reports after each step.
 * The ids are read first: a list that shrinks while it is paged would lose some.
 */
export async function retryAllFailed(
  api: RetryApi,
  onProgress: (progress: RetryProgress) => void,
  signal: AbortSignal,
): Promise<RetryProgress> {
  const ids = new Set<string>();
  let cursor: string | null = null;
  do {
    const page = await api.listFailed(cursor);
    for (const id of page.ids) ids.add(id);
    cursor = page.nextCursor;
  } while (cursor && !signal.aborted);

  let progress: RetryProgress = { total: ids.size, retried: 0, skipped: 0, errors: [], waiting: false };
  const report = (step: Partial<RetryProgress>) => {
    progress = { ...progress, ...step };
    onProgress(progress);
  };
  report({});
  for (const id of ids) {
    if (signal.aborted) break;
    try {
      for (let pause = await retryOnce(api, id); pause > 0; pause = await retryOnce(api, id)) {
        report({ waiting: true });
        await api.wait(pause);
      }
      report({ retried: progress.retried + 1, waiting: false });
    } catch (error) {
      if (signal.aborted) break;
      if (error instanceof ApiError && (error.status === 409 || error.status === 404)) {
        report({ skipped: progress.skipped + 1, waiting: false });
      } else if (error instanceof ApiError && error.status !== 401) {
        report({ errors: [...progress.errors, { id, error }], waiting: false });
      } else {
        throw error;
      }
    }
  }
  return progress;
}

/** Milliseconds to wait before another try; 0 when it is done. */
async function retryOnce(api: RetryApi, id: string): Promise<number> {
  try {
    await api.retry(id);
    return 0;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 429) throw error;
    return error.retryAfterS ? error.retryAfterS * 1000 : PAUSE_MS;
  }
}
