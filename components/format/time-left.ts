import { formatDuration } from './time';

// Below either of these limits, an estimate would be little more than a guess.
const MIN_PROGRESS = 0.1;
const MIN_ELAPSED_MS = 5_000;

type Reported = { progress: number | null; progressAt: string | null; startedAt: string | null };

/**
 * Returns the estimated time in ms until processing ends, based on the last reported progress. Returns null if there is
 * too little data, or if processing should already have ended.
 */
export function timeLeft({ progress, progressAt, startedAt }: Reported, now: number): number | null {
  if (progress === null || progressAt === null || startedAt === null) return null;
  const reportedAt = Date.parse(progressAt);
  const elapsed = reportedAt - Date.parse(startedAt);
  if (progress < MIN_PROGRESS || progress >= 1 || elapsed < MIN_ELAPSED_MS) return null;
  // The clocks of server and browser may differ slightly. If `reportedAt` is in the future, treat it as the present.
  const left = (elapsed / progress) * (1 - progress) - Math.max(0, now - reportedAt);
  return left > 0 ? left : null;
}

/**
 * Formats an estimate: `about 10 s left`, `about 3 min left`. Rounds up to a multiple of 5 s. If the result is a minute
 * or more, rounds up to whole minutes instead.
 */
export function formatTimeLeft(ms: number): string {
  const seconds = Math.ceil(ms / 5_000) * 5;
  const duration = seconds < 60 ? `${seconds} s` : formatDuration(Math.ceil(ms / 60_000) * 60_000);
  return `about ${duration} left`;
}
