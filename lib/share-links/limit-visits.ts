import { limitInProcess } from '@/lib/rate-limit/limit';
import { limitVisitor } from '@/lib/rate-limit/limit-visitor';
import { shareKey } from './share-token';

/** A link allows this many times the calls of a user, because it can have many visitors. */
const TIMES_PER_LINK = 10;

/**
 * Counts one call by a visitor, for the visitor's address and for the link, which a client cannot forge. Throws
 * `rate_limited`.
 */
export function limitVisits(headers: Headers, token: string): void {
  limitVisitor(headers);
  limitInProcess('other', `share:${shareKey(token)}`, TIMES_PER_LINK);
}
