/** How many minutes pass between two resyncs while nothing is unfinished. */
const QUIET_MINUTES = 5;

/**
 * Decides, when called once a minute, whether the minute needs a resync: each one while something is unfinished, every
 * fifth one otherwise, because a lost broadcast may be about something that is not shown yet.
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
