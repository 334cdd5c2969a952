import { limitInProcess } from '@/lib/rate-limit/limit';
import { limitVisitor } from '@/lib/rate-limit/limit-visitor';
import { shareKey } from './share-token';

/** A link's rate limit, as a multiple of a user's. High, because a link can have many visitors. */
const TIMES_PER_LINK = 10;

/**
 * Counts one call by a visitor against the link's limit and, with `limitVisitor`, against the limit for the visitor's
 * IP address. Throws `rate_limited`.
 */
export function limitVisits(headers: Headers, token: string): void {
  limitVisitor(headers);
  limitInProcess('other', `share:${shareKey(token)}`, TIMES_PER_LINK);
}
