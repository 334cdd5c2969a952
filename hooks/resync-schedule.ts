/** Minutes between resyncs while everything is finished. */
const QUIET_MINUTES = 5;

/**
 * Creates a function that returns whether a resync is due. The created function must be called once a minute. A resync
 * is due every minute while something is unfinished, and every five minutes otherwise. Resyncs are needed even if
 * everything shown is finished, because a lost broadcast can concern an item that is not shown yet.
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
