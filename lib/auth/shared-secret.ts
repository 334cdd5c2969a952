import { createHash, timingSafeEqual } from 'node:crypto';

const sha256 = (value: string) => createHash('sha256').update(value).digest();

/**
 * Returns whether `candidate` is one of the `accepted` secrets (the current one, and the previous one during a
 * rotation). Compares hashes in constant time, so the duration reveals neither the content nor the length.
 */
export function secretMatches(candidate: string | null, accepted: (string | undefined)[]): boolean {
  const hash = sha256(candidate ?? '');
  let matches = false;
  for (const secret of accepted) {
    if (secret !== undefined && timingSafeEqual(hash, sha256(secret))) matches = true;
  }
  return candidate !== null && matches;
}
