/** Minutes between resyncs while everything is finished. */
const QUIET_MINUTES = 5;

/**
 * Returns a function to call once a minute, which returns whether a resync is due: every minute while something is
 * unfinished, otherwise every five minutes. Even if everything shown is finished, resyncs are needed to find changes to
 * items that are not shown yet, because their broadcasts can be lost too.
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
