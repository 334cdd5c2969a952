const secrets = [
  // Access tokens of Atelier.
  /\batl_[0-9a-f]{8,}/g,
  // Tokens of share links: in a path, and anywhere else.
  /(?<=\/share\/)[^/?"\s\\]+/g,
  /\bshr_[0-9a-f]{8,}/g,
  // JWTs, which sessions and signed URLs use.
  /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g,
  // Secret keys of Supabase, and the keys that sign triggers and events.
  /\bsb_secret_[\w-]+/g,
  /\bwhsec_[A-Za-z0-9+/=]+/g,
  // Links to choose a password, and the credentials of the mail server.
  /(?<=set-password#)[\w-]+/g,
  /(?<=\bsmtps?:\/\/)[^@/"\s\\]+(?=@)/g,
  /(?<=[?&]token=)[^&"\s\\]+/g,
];

/**
 * Masks secrets in a log line. Our own code logs none, but errors from libraries can contain them.
 */
export function masked(line: string): string {
  return secrets.reduce((text, pattern) => text.replace(pattern, '[secret]'), line);
}
