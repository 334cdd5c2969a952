const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Calls `load` until it succeeds, with pauses that double up to a minute, and passes the result to `onLoaded`. Returns
 * a function that cancels further attempts.
 */
export function untilLoaded<Loaded>(
  load: () => Promise<Loaded>,
  onLoaded: (loaded: Loaded) => void,
): () => void {
  let isCanceled = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const attempt = (pauseMs: number) => {
    load().then(
      (loaded) => {
        if (!isCanceled) onLoaded(loaded);
      },
      () => {
        if (!isCanceled) timer = setTimeout(attempt, pauseMs, Math.min(2 * pauseMs, LONGEST_PAUSE_MS));
      },
    );
  };
  attempt(FIRST_PAUSE_MS);
  return () => {
    isCanceled = true;
    clearTimeout(timer);
  };
}
