export type DueRun = {
  /** Requests a run within `ms` milliseconds. A pending run that is due earlier serves this request too. */
  within: (ms: number) => void;
  cancel: () => void;
};

/**
 * Creates a timer that combines requests made close together into one run, at the earliest requested time.
 */
export function createDueRun(run: () => void): DueRun {
  let due = Number.POSITIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => {
    clearTimeout(timer);
    due = Number.POSITIVE_INFINITY;
  };
  return {
    within: (ms) => {
      const at = Date.now() + ms;
      if (at >= due) return;
      clearTimeout(timer);
      due = at;
      timer = setTimeout(() => {
        due = Number.POSITIVE_INFINITY;
        run();
      }, ms);
    },
    cancel,
  };
}
