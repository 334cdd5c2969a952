'use client';

import { useEffect, useMemo } from 'react';
import { createDueRun, type DueRun } from './due-run';

/** Returns a `DueRun` that calls `run` and is canceled when the component unmounts. `run` must be stable. */
export function useDueRun(run: () => void): DueRun {
  const dueRun = useMemo(() => createDueRun(run), [run]);
  useEffect(() => dueRun.cancel, [dueRun]);
  return dueRun;
}
