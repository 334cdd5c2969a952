/** Returns a person's name, or else the email address, or "Another person" if both are unknown. */
export function personName({ name, email }: { name?: string | null; email: string | null }): string {
  return name ?? email ?? 'Another person';
}
