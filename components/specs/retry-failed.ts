import { retryPauseMs } from '@/hooks/retry-pause';
import { ApiError } from '@/lib/http/client';

/** The calls that `retryAllFailed` makes, injected so that tests need no server. */
export type RetryApi = {
  /** Returns one page of ids of failed specs and the cursor of the next page. */
  listFailed(cursor: string | null): Promise<{ ids: string[]; nextCursor: string | null }>;
  retry(id: string): Promise<void>;
  /** Resolves after `ms` milliseconds. Rejects when the run is canceled. */
  wait(ms: number): Promise<void>;
};

export type RetryProgress = {
  total: number;
  retried: number;
  /** Specs that another user has restarted or deleted in the meantime. */
  skipped: number;
  errors: { id: string; error: unknown }[];
  /** True while the run waits because the server is at its limit. */
  waiting: boolean;
};

/**
 * Retries every failed spec that `listFailed` returns, one at a time, and reports progress after each. Reads all ids
 * first, because paging through a shrinking list would skip some. Throws any error from `listFailed`, and any error
 * from a retry that is a 401 or not an `ApiError`.
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

/** Retries one spec. Returns 0 if that succeeded, or the milliseconds to wait before the next attempt. */
async function retryOnce(api: RetryApi, id: string): Promise<number> {
  try {
    await api.retry(id);
    return 0;
  } catch (error) {
    const pauseMs = retryPauseMs(error);
    if (pauseMs === null) throw error;
    return pauseMs;
  }
}
