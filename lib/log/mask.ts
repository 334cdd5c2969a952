const secrets = [
  // Atelier's access tokens.
  /\batl_[0-9a-f]{8,}/g,
  // Share link tokens. The first pattern matches them in a path, even if mistyped, and the second anywhere else.
  /(?<=\/share\/)[^/?"\s\\]+/g,
  /\bshr_[0-9a-f]{8,}/g,
  // JWTs, which sessions and signed URLs use.
  /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g,
  // Supabase's secret keys, and the keys that sign triggers and events.
  /\bsb_secret_[\w-]+/g,
  /\bwhsec_[A-Za-z0-9+/=]+/g,
  // Tokens in set-password links, the mail server's credentials, and `token` parameters in URLs.
  /(?<=set-password#)[\w-]+/g,
  /(?<=\bsmtps?:\/\/)[^@/"\s\\]+(?=@)/g,
  /(?<=[?&]token=)[^&"\s\\]+/g,
];

/** Masks secrets in a log line. Atelier's own code logs none, but errors from libraries can contain them. */
export function masked(line: string): string {
  return secrets.reduce((text, pattern) => text.replace(pattern, '[secret]'), line);
}
