import { ApiError } from '@/lib/http/client';
import { newKey } from './new-key';

type Submit = { key: string; running: Promise<unknown> | null };

/** Whether the server has decided. After a lost answer, or one that only asks to wait, it may or may not have acted. */
function isDecided(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && ![401, 408, 429].includes(error.status);
}

/**
 * Makes one thing out of one submit. The same `what` while it is under way (a double click) shares its promise; the
 * same `what` after a failure that left it open is sent again with the same key.
 */
export function createSubmitOnce() {
  const submits = new Map<string, Submit>();
  return async function submitOnce<T>(
    what: string,
    send: (idempotencyKey: string) => Promise<T>,
  ): Promise<T> {
    const submit = submits.get(what) ?? { key: newKey(), running: null };
    submits.set(what, submit);
    // The map is private to this function: the same `what` always comes with the same kind of `send`.
    if (submit.running) return submit.running as Promise<T>;
    const running = send(submit.key);
    submit.running = running;
    try {
      const result = await running;
      submits.delete(what);
      return result;
    } catch (error) {
      if (isDecided(error)) submits.delete(what);
      throw error;
    } finally {
      submit.running = null;
    }
  };
}
