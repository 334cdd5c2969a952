'use client';

import { useState } from 'react';

/**
 * Returns the value that the server read with the page, for the first `key`. Returns undefined from the moment another
 * key is used, because the value may be out of date by then.
 */
export function useInitial<Value>(key: string, value: Value): Value | undefined {
  const [initialKey, setInitialKey] = useState<string | null>(key);
  if (initialKey !== null && initialKey !== key) setInitialKey(null);
  return initialKey === key ? value : undefined;
}
