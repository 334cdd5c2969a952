'use client';

import { useEffect, useMemo } from 'react';
import { createDueRun, type DueRun } from './due-run';

/** Returns a due run for as long as the component is mounted. `run` must be stable. */
export function useDueRun(run: () => void): DueRun {
  const dueRun = useMemo(() => createDueRun(run), [run]);
  useEffect(() => dueRun.cancel, [dueRun]);
  return dueRun;
}
