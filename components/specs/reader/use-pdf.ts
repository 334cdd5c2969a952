'use client';

import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { type OpenedPdf, openReaderPdf, PdfError, type PdfProblem, type PdfSource } from './open-pdf';

export type PdfState =
  | { status: 'opening' }
  | { status: 'open'; pdf: OpenedPdf }
  | { status: 'failed'; problem: PdfProblem };

/** Opens a PDF, and closes it when the component unmounts. `fail` shows an error, and `open` opens the PDF again. */
export function usePdf(source: PdfSource) {
  const [state, setState] = useState<PdfState>({ status: 'opening' });
  const [attempt, setAttempt] = useState(0);
  const openSource = useEffectEvent((signal: AbortSignal) => openReaderPdf(source, signal));
  const fail = useCallback((error: unknown) => {
    const isClosed = error instanceof DOMException && error.name === 'AbortError';
    if (isClosed) return;
    setState({ status: 'failed', problem: error instanceof PdfError ? error.problem : 'damaged' });
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `attempt` opens the file again.
  useEffect(() => {
    const stop = new AbortController();
    setState({ status: 'opening' });
    openSource(stop.signal).then(
      (pdf) => (stop.signal.aborted ? pdf.close() : setState({ status: 'open', pdf })),
      (error: unknown) => {
        if (!stop.signal.aborted) fail(error);
      },
    );
    return () => stop.abort();
  }, [attempt, fail]);

  const open = useCallback(() => setAttempt((n) => n + 1), []);
  return { state, open, fail };
}
