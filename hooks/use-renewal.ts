'use client';

import { useCallback, useRef } from 'react';

const RENEW_MS = 30_000;

/**
 * Returns a function to call when an image does not load. It calls `renew` to get new URLs, at most every 30 seconds,
 * because the file itself can be broken. `renew` must be stable.
 */
export function useRenewal(renew: () => void): () => void {
  const renewedAt = useRef(0);
  return useCallback(() => {
    if (Date.now() - renewedAt.current < RENEW_MS) return;
    renewedAt.current = Date.now();
    renew();
  }, [renew]);
}
