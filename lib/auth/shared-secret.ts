import { createHash, timingSafeEqual } from 'node:crypto';

const sha256 = (value: string) => createHash('sha256').update(value).digest();

/**
 * Whether `given` is one of the `accepted` secrets (the current one, and the previous one during a rotation).
 * Compared in constant time over hashes, so that neither content nor length shows in the time it takes.
 */
export function secretMatches(given: string | null, accepted: (string | undefined)[]): boolean {
  const hash = sha256(given ?? '');
  let matches = false;
  for (const secret of accepted) {
    if (secret !== undefined && timingSafeEqual(hash, sha256(secret))) matches = true;
  }
  return given !== null && matches;
}
