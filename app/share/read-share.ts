import { cache } from 'react';
import { cursorParam, decodeCursor } from '@/lib/http/page';
import { openShare } from '@/lib/share-links/open-link';

/**
 * Returns what a share link shows, or null if the link is invalid. Counts the visit if `count` is true. The result is
 * cached, because both a page and its `generateMetadata` call this function, and a visit must count only once.
 */
export const readShare = cache((token: string, count: boolean) => openShare(token, { count }));

/** Returns the cursor in a URL parameter, or undefined if there is none or it is not valid. */
export function readCursor(value: unknown): string | undefined {
  try {
    const cursor = cursorParam.parse(value);
    if (cursor !== undefined) decodeCursor(cursor);
    return cursor;
  } catch {
    return undefined;
  }
}
