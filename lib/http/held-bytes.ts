import { HttpError } from '@/lib/errors/problem';
import { quotaOf } from './quota';

/** Bytes of one kind that this process holds for users: four of the largest documents. */
const HELD_BYTES = 64 * 1024 * 1024;

/** The memory that one request holds. */
export type HeldBytes = {
  /** Counts `size` more bytes. Throws `unavailable` with `Retry-After` when too many are held. */
  take: (size: number) => void;
  /** Gives back all bytes taken so far. */
  release: () => void;
};

/**
 * Counts the memory of one request against the limit of this process, of which one user gets at most half. `bodies`
 * are held while they arrive, `documents` until their request is handled: a slow database does not stop other bodies.
 */
export function holdBytes(kind: 'bodies' | 'documents', userId: string): HeldBytes {
  const held: (() => void)[] = [];
  return {
    take(size) {
      const giveBack = quotaOf(`${kind}-bytes`).take(userId, size, HELD_BYTES);
      if (!giveBack) {
        throw new HttpError(
          'unavailable',
          'Too many large requests are being handled. Try again in a moment.',
          {
            retryAfter: 2,
          },
        );
      }
      held.push(giveBack);
    },
    release() {
      for (const giveBack of held.splice(0)) giveBack();
    },
  };
}
