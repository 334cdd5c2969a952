'use client';

import { useState } from 'react';

/**
 * What the server has read with the page, for the first `key`. Undefined as soon as another key was shown, because it is
 * out of date then.
 */
export function useInitial<Value>(key: string, value: Value): Value | undefined {
  const [initialKey, setInitialKey] = useState<string | null>(key);
  if (initialKey !== null && initialKey !== key) setInitialKey(null);
  return initialKey === key ? value : undefined;
}
