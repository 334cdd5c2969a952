'use client';

import { useState } from 'react';

/**
 * The last value that was not undefined, so that a list stays while another one is read; `first` before that. An object
 * must be the same one until it changes.
 */
export function useLastKnown<Value>(value: Value | undefined, first: Value): Value {
  const [last, setLast] = useState(first);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
