/** Minutes between two resyncs while nothing is unfinished. */
const QUIET_MINUTES = 5;

/**
 * Returns a function to call once a minute that decides whether to resync: every minute while something is unfinished,
 * otherwise every fifth minute, because a lost broadcast may concern something that is not shown yet.
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
