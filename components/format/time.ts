const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

// The locale is fixed because server and browser must render the same text.
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** Formats `iso` relative to `now` (ms since the epoch): `just now`, `5 minutes ago`, `in 2 hours`. */
export function formatRelative(iso: string, now: number): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1000);
  const size = Math.abs(seconds);
  if (size < 10) return 'just now';
  if (size < MINUTE) return relative.format(seconds, 'second');
  if (size < HOUR) return relative.format(Math.trunc(seconds / MINUTE), 'minute');
  if (size < DAY) return relative.format(Math.trunc(seconds / HOUR), 'hour');
  if (size < 30 * DAY) return relative.format(Math.trunc(seconds / DAY), 'day');
  if (size < 365 * DAY) return relative.format(Math.trunc(seconds / (30 * DAY)), 'month');
  return relative.format(Math.trunc(seconds / (365 * DAY)), 'year');
}

/** Formats the full date and time of `iso`. The server passes UTC because it does not know the reader's time zone. */
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
