'use client';

import { createContext, useContext, useState } from 'react';
import { describeError } from '@/components/feedback/describe-error';

/** Tells the enclosing `FormDialog`, if there is one, whether the form's request is running. */
export const ReportBusy = createContext<(busy: boolean) => void>(() => undefined);

/**
 * Returns the state of a form's request. `run` runs the request and resolves to whether it succeeded. `busy` is whether
 * a request is running. `failure` is the form's error message or null, and `setFailure` changes it. `run` clears the
 * message when it starts, and sets it if the request fails.
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
