import { retryPauseMs } from './retry-pause';

/** The dependencies of a sequence: server, page and clock. */
export type UploadSequenceWorld<Item> = {
  /** Sends one file; rejects when `signal` is aborted. */
  upload: (item: Item, signal: AbortSignal) => Promise<void>;
  onFailed: (item: Item, error: unknown) => void;
  /** Calls `then` after `ms` milliseconds; returns a function that cancels it. */
  wait: (ms: number, then: () => void) => () => void;
};

export type UploadSequence<Item> = {
  add: (items: readonly Item[]) => void;
  /** Aborts the upload of an item, or removes it before it starts. */
  drop: (key: string) => void;
  /** Aborts everything. */
  stop: () => void;
};

/**
 * Uploads files one after the other. When the server is at its limit, the file goes back to the front and everything
 * waits as long as the server says. Other errors go to `onFailed`, and the next file starts.
 */
export function createUploadSequence<Item extends { key: string }>({
  upload,
  onFailed,
  wait,
}: UploadSequenceWorld<Item>): UploadSequence<Item> {
  let waiting: Item[] = [];
  let running: { key: string; controller: AbortController } | null = null;
  let cancelPause: (() => void) | null = null;

  async function sendNext(): Promise<void> {
    if (running || cancelPause) return;
    const next = waiting.shift();
    if (!next) return;
    const controller = new AbortController();
    running = { key: next.key, controller };
    try {
      await upload(next, controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) postponeOrFail(next, error);
    }
    running = null;
    return sendNext();
  }

  function postponeOrFail(item: Item, error: unknown) {
    const pauseMs = retryPauseMs(error);
    if (pauseMs === null) return onFailed(item, error);
    waiting.unshift(item);
    cancelPause = wait(pauseMs, () => {
      cancelPause = null;
      void sendNext();
    });
  }

  return {
    add: (items) => {
      waiting.push(...items);
      void sendNext();
    },
    drop: (key) => {
      waiting = waiting.filter((item) => item.key !== key);
      if (running?.key === key) running.controller.abort();
    },
    stop: () => {
      waiting = [];
      running?.controller.abort();
      cancelPause?.();
      cancelPause = null;
    },
  };
}
