'use client';

import { useCallback, useRef } from 'react';

const RENEW_MS = 30_000;

/**
 * Returns a function to call when an image fails to load. It calls `renew` to get new URLs, at most once every 30
 * seconds, because new URLs do not help if the file is broken. The returned function is stable if `renew` is.
 */
export function useRenewal(renew: () => void): () => void {
  const renewedAt = useRef(0);
  return useCallback(() => {
    if (Date.now() - renewedAt.current < RENEW_MS) return;
    renewedAt.current = Date.now();
    renew();
  }, [renew]);
}
