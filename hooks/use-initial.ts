'use client';

import { useState } from 'react';

/**
 * Returns the server-rendered value for the first `key`. Returns undefined once another key has been used, because the
 * value may be outdated by then.
 */
export function useInitial<Value>(key: string, value: Value): Value | undefined {
  const [initialKey, setInitialKey] = useState<string | null>(key);
  if (initialKey !== null && initialKey !== key) setInitialKey(null);
  return initialKey === key ? value : undefined;
}
