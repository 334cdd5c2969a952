import { HttpError } from '@/lib/errors/problem';
import { quotaOf } from './quota';

/** The limit in bytes for each kind of memory in this process. Four of the largest documents fit. */
const MEMORY_BYTES = 64 * 1024 * 1024;

/** Counts the memory that one request holds. */
export type ReservedMemory = {
  /** Counts `size` more bytes. Throws `unavailable` with `Retry-After` if that would exceed a limit. */
  take: (size: number) => void;
  /** Releases all bytes counted so far. */
  release: () => void;
};

/**
 * Counts the memory of one request toward this process's limit for `kind`. A user can hold at most half of the limit.
 * The kind `bodies` is for bodies while they arrive. The kind `documents` is for documents until their request has been
 * handled. Each kind has its own limit, so that documents that wait for a slow database do not keep other bodies from
 * arriving.
 */
export function reserveMemory(kind: 'bodies' | 'documents', userId: string): ReservedMemory {
  const held: (() => void)[] = [];
  return {
    take(size) {
      const giveBack = quotaOf(`${kind}-bytes`).take(userId, size, MEMORY_BYTES);
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
