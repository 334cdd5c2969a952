const secrets = [
  // Our own access tokens.
  /\batl_[0-9a-f]{8,}/g,
  // JWTs: the tokens of sessions and signed URLs.
  /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g,
  // Supabase's own keys, and the keys that sign triggers and events.
  /\bsb_secret_[\w-]+/g,
  /\bwhsec_[A-Za-z0-9+/=]+/g,
  /(?<=[?&]token=)[^&"\s\\]+/g,
];

/**
 * Masks secrets in a line of the log. Our own code logs none, but the errors of libraries can contain them.
 */
export function masked(line: string): string {
  return secrets.reduce((text, pattern) => text.replace(pattern, '[secret]'), line);
}
