import { ApiError } from '@/lib/http/client';
import { newKey } from './new-key';

type Submit = { key: string; running: Promise<unknown> | null };

/**
 * Returns whether the outcome is final. After a lost response or a server error, the server may or may not have acted.
 */
function isDecided(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && ![401, 408, 429].includes(error.status);
}

/**
 * Creates a function that prevents double submits. A call with the same `what` as a request in progress (a double
 * click) shares its promise. After a failure without a final outcome, a call with the same `what` reuses the
 * idempotency key.
 */
export function createSubmitOnce() {
  const submits = new Map<string, Submit>();
  return async function submitOnce<T>(
    what: string,
    send: (idempotencyKey: string) => Promise<T>,
  ): Promise<T> {
    const submit = submits.get(what) ?? { key: newKey(), running: null };
    submits.set(what, submit);
    // The cast is safe because the map is private to this function, and the same `what` always has the same kind of
    // `send`.
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
