const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

// The locale is fixed here and below, because the app is in English, and server and browser must render the same dates.
const relative = {
  long: new Intl.RelativeTimeFormat('en', { numeric: 'auto' }),
  narrow: new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' }),
};

/**
 * Formats `iso` relative to `now` (ms since the epoch): `just now`, `5 minutes ago`, `in 2 hours`. The narrow style is
 * for places with little room: `5m ago`.
 */
export function formatRelative(iso: string, now: number, style: 'long' | 'narrow' = 'long'): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1000);
  const size = Math.abs(seconds);
  // Round future times, so that an event due in 7 days does not show as "in 6 days" a moment later.
  const whole = seconds > 0 ? Math.round : Math.trunc;
  const format = (unit: Intl.RelativeTimeFormatUnit, unitSeconds: number) =>
    relative[style].format(whole(seconds / unitSeconds), unit);
  if (size < 10) return 'just now';
  if (size < MINUTE) return format('second', 1);
  if (size < HOUR) return format('minute', MINUTE);
  if (size < DAY) return format('hour', HOUR);
  if (size < 30 * DAY) return format('day', DAY);
  if (size < 365 * DAY) return format('month', 30 * DAY);
  return format('year', 365 * DAY);
}

/**
 * Formats the date and time of `iso` in `timeZone`, or in the runtime's time zone if `timeZone` is omitted. Server
 * rendering passes UTC, because the server does not know the reader's time zone.
 */
export function formatAbsolute(iso: string, timeZone?: string): string {
  return new Intl.DateTimeFormat('en-US', {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone,
  }).format(new Date(iso));
}

/** Formats the date of `iso` without the time. See `formatAbsolute` for `timeZone`. */
export function formatDate(iso: string, timeZone?: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone }).format(new Date(iso));
}

/** Formats the time of day of `iso` in the reader's time zone: `13:05`. */
export function formatTimeOfDay(iso: string): string {
  return new Intl.DateTimeFormat('en-US', { timeStyle: 'short', hourCycle: 'h23' }).format(new Date(iso));
}

/** Formats a duration in milliseconds: `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < MINUTE) return `${whole} s`;
  if (whole < HOUR) {
    const rest = whole % MINUTE;
    return `${Math.trunc(whole / MINUTE)} min${rest ? ` ${rest} s` : ''}`;
  }
  const minutes = Math.round(whole / MINUTE);
  const rest = minutes % 60;
  return `${Math.trunc(minutes / 60)} h${rest ? ` ${rest} min` : ''}`;
}
