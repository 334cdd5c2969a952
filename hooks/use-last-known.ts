'use client';

import { useState } from 'react';

/**
 * Returns the last value that was not undefined, or `first` if there was none. This keeps a list on screen while the
 * next one is being read. A value that is an object must keep its identity until its content changes.
 */
export function useLastKnown<Value>(value: Value | undefined, first: Value): Value {
  const [last, setLast] = useState(first);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
