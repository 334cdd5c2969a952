const labels: Record<string, string> = {
  invalid_secret: 'Wrong secret',
  not_found: 'Unknown id',
  invalid_json: 'Invalid JSON',
  invalid_request: 'Invalid body',
  too_large: 'Body too large',
  too_slow: 'Body incomplete',
};

/** Returns the displayed reason for a rejected callback. */
export function refusedLabel(code: string): string {
  return labels[code] ?? 'Rejected';
}
