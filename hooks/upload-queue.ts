import { retryPauseMs } from './retry-pause';

/** A file to upload, with the form data of its request. */
export type Upload = {
  id: string;
  /** Stays the same across attempts, so that a retry after a lost response does not store the file twice. */
  idempotencyKey: string;
  form: FormData;
};

export type UploadEvent<Result> = { id: string } & (
  | { type: 'started' }
  /** The fraction of bytes sent, 0 to 1. */
  | { type: 'progressed'; progress: number }
  /** The server is at its limit; the queue resumes automatically. */
  | { type: 'postponed' }
  | { type: 'sent'; result: Result }
  | { type: 'failed'; error: unknown }
);

export type UploadQueueOptions<Result> = {
  /** Sends one file. Must reject when `signal` is aborted. */
  send: (
    upload: Upload,
    options: { signal: AbortSignal; onProgress: (sent: number, total: number) => void },
  ) => Promise<Result>;
  /** Not called for a file that `drop` or `stop` has removed. */
  onEvent: (event: UploadEvent<Result>) => void;
  /** Maximum number of concurrent uploads. */
  concurrency?: number;
  /** Calls `then` after `ms` milliseconds. Returns a function that cancels the call. */
  wait?: (ms: number, then: () => void) => () => void;
};

export type UploadQueue = {
  /** Adds files at the end. Ignores files that are already in the queue. */
  add: (uploads: readonly Upload[]) => void;
  /** Aborts the upload of a file, or removes a file whose upload has not started. */
  drop: (id: string) => void;
  /** Aborts everything. */
  stop: () => void;
};

/**
 * Uploads files in order. If the server is at its limit and rejects a file, the file goes back to the front of the
 * queue, and no upload starts until the pause from `retryPauseMs` is over. After any other error, the next file starts.
 */
export function createUploadQueue<Result>({
  send,
  onEvent,
  concurrency = 1,
  wait = waitFor,
}: UploadQueueOptions<Result>): UploadQueue {
  let waiting: Upload[] = [];
  const running = new Map<string, AbortController>();
  let cancelPause: (() => void) | null = null;

  function sendNext(): void {
    while (!cancelPause && running.size < concurrency) {
      const next = waiting.shift();
      if (!next) return;
      void run(next);
    }
  }

  async function run(upload: Upload): Promise<void> {
    const { id } = upload;
    const controller = new AbortController();
    const { signal } = controller;
    const emit = (event: UploadEvent<Result>) => {
      if (!signal.aborted) onEvent(event);
    };
    running.set(id, controller);
    emit({ type: 'started', id });
    try {
      const onProgress = (sent: number, total: number) =>
        emit({ type: 'progressed', id, progress: total > 0 ? sent / total : 0 });
      emit({ type: 'sent', id, result: await send(upload, { signal, onProgress }) });
    } catch (error) {
      const pauseMs = signal.aborted ? null : retryPauseMs(error);
      if (pauseMs === null) {
        emit({ type: 'failed', id, error });
      } else {
        waiting.unshift(upload);
        pause(pauseMs);
        emit({ type: 'postponed', id });
      }
    }
    // The file may have been dropped and added again in the meantime, with another controller.
    if (running.get(id) === controller) running.delete(id);
    sendNext();
  }

  function pause(ms: number): void {
    cancelPause?.();
    cancelPause = wait(ms, () => {
      cancelPause = null;
      sendNext();
    });
  }

  return {
    add: (uploads) => {
      const known = new Set([...running.keys(), ...waiting.map(({ id }) => id)]);
      waiting.push(...uploads.filter(({ id }) => !known.has(id)));
      sendNext();
    },
    drop: (id) => {
      waiting = waiting.filter((upload) => upload.id !== id);
      running.get(id)?.abort();
      running.delete(id);
      sendNext();
    },
    stop: () => {
      waiting = [];
      for (const controller of running.values()) controller.abort();
      running.clear();
      cancelPause?.();
      cancelPause = null;
    },
  };
}

function waitFor(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}
