const secrets = [
  // Access tokens and the tokens of signed addresses.
  /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g,
  // Supabase's own keys, and the key that signs triggers.
  /\bsb_secret_[\w-]+/g,
  /\bwhsec_[A-Za-z0-9+/=]+/g,
  /(?<=[?&]token=)[^&"\s\\]+/g,
];

/**
 * A line of the log without what nobody may read in it. Nothing of ours writes such a thing; what an outside library
 * puts into its errors is not ours to know.
 */
export function masked(line: string): string {
  return secrets.reduce((text, pattern) => text.replace(pattern, '[secret]'), line);
}
