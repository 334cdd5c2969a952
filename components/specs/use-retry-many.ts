'use client';

import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { describeError } from '@/components/feedback/describe-error';
import { countOf } from '@/components/format/count';
import { retryMany } from './spec-calls';

function outcome({ retried, skipped }: { retried: number; skipped: number }): string {
  const sent = `${countOf(retried, 'spec')} ${retried === 1 ? 'was' : 'were'} sent again.`;
  if (skipped === 0) return sent;
  return skipped === 1
    ? `${sent} 1 was not: it has not failed or no longer exists.`
    : `${sent} ${skipped.toLocaleString('en')} were not: they have not failed or no longer exist.`;
}

/** Retries many failed specs and reports the result in one notification; `onRetried` is called in any case. */
export function useRetryMany(onRetried: () => void) {
  const [busy, setBusy] = useState(false);
  const retry = async (which: Parameters<typeof retryMany>[0]) => {
    setBusy(true);
    try {
      notifications.show({ message: outcome(await retryMany(which)) });
    } catch (error) {
      notifications.show({
        title: 'Not all specs could be retried',
        message: describeError(error),
        color: 'red',
        autoClose: 10_000,
      });
    } finally {
      setBusy(false);
      onRetried();
    }
  };
  return { busy, retry };
}
