export type DueRun = {
  /** Runs after at most `ms` milliseconds, earlier if an earlier call asked for that. */
  within: (ms: number) => void;
  cancel: () => void;
};

/** Runs once for many requests that come close together, at the earliest time that one of them asked for. */
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
