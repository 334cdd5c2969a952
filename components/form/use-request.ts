'use client';

import { createContext, useContext, useState } from 'react';
import { describeError } from '@/components/feedback/describe-error';

/** Reports to the enclosing `FormDialog`, if there is one, whether a request of the form is running. */
export const ReportBusy = createContext<(busy: boolean) => void>(() => undefined);

/**
 * Returns a function that runs a request of a form, with whether one runs and why the last one failed. `run` resolves
 * to whether the request succeeded.
 */
export function useRequest() {
  const report = useContext(ReportBusy);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  const run = async (request: () => Promise<void>): Promise<boolean> => {
    setBusy(true);
    report(true);
    setFailure(null);
    try {
      await request();
      return true;
    } catch (error) {
      setFailure(describeError(error));
      return false;
    } finally {
      setBusy(false);
      report(false);
    }
  };

  return { busy, failure, setFailure, run };
}
