import { ApiError } from '@/lib/http/client';
import { newKey } from './new-key';

type Submit = { key: string; running: Promise<unknown> | null };

/**
 * Returns whether the outcome of a failed request is final. A lost response and a server error are not final, because
 * the server may have acted. The statuses 401, 408 and 429 are not final either, because a retry can succeed.
 */
function isDecided(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && ![401, 408, 429].includes(error.status);
}

/**
 * Creates a function that prevents double submits. If a request with the same `submission` is in progress, for example
 * after a double click, a call returns that request's promise. After a failure without a final outcome, a call with the
 * same `submission` reuses the idempotency key.
 */
export function createSubmitOnce() {
  const submits = new Map<string, Submit>();
  return async function submitOnce<T>(
    submission: string,
    send: (idempotencyKey: string) => Promise<T>,
  ): Promise<T> {
    const submit = submits.get(submission) ?? { key: newKey(), running: null };
    submits.set(submission, submit);
    // The cast is safe because the map is private to this function, and calls with the same `submission` pass a `send`
    // with the same result type.
    if (submit.running) return submit.running as Promise<T>;
    const running = send(submit.key);
    submit.running = running;
    try {
      const result = await running;
      submits.delete(submission);
      return result;
    } catch (error) {
      if (isDecided(error)) submits.delete(submission);
      throw error;
    } finally {
      submit.running = null;
    }
  };
}
