/** Minutes between resyncs while nothing is unfinished. */
const QUIET_MINUTES = 5;

/**
 * Returns a function to call once a minute, which returns whether a resync is due: every minute while something is
 * unfinished, otherwise every five minutes. Resyncs while nothing is unfinished find changes to items that are not
 * shown yet, whose broadcasts can be lost too.
 */
export function createResyncSchedule(): (isUnfinished: boolean) => boolean {
  let minutes = 0;
  return (isUnfinished) => {
    minutes += 1;
    if (!isUnfinished && minutes < QUIET_MINUTES) return false;
    minutes = 0;
    return true;
  };
}
