'use client';

import type { Retrying } from '@/lib/workflow/schema';
import { useNow } from './relative-time';
import { formatTimeOfDay } from './time';

/** Shows which attempt to send a run to the workflow service is next, and when, unless that time has come. */
export function TryingAgain({ retrying }: { retrying: Retrying }) {
  const now = useNow();
  const { attempt, maxAttempts, nextAttemptAt } = retrying;
  return (
    <>
      Trying again: attempt {attempt} of {maxAttempts}
      {nextAttemptAt && now !== null && Date.parse(nextAttemptAt) > now
        ? `, next at ${formatTimeOfDay(nextAttemptAt)}`
        : ''}
    </>
  );
}
