const labels: Record<string, string> = {
  invalid_secret: 'Wrong secret',
  not_found: 'Unknown id',
  invalid_json: 'Invalid JSON',
  invalid_request: 'Invalid body',
  too_large: 'Body too large',
  too_slow: 'Body incomplete',
};

/** Returns the reason for a rejected callback in a few words. */
export function refusedLabel(code: string): string {
  return labels[code] ?? 'Rejected';
}
