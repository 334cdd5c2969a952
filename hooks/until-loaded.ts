const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Calls `load` until it succeeds, and passes the result to `onLoaded`. Each pause between two attempts is
 * twice as long as the one before, but at most a minute. Returns a function that cancels further attempts.
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
