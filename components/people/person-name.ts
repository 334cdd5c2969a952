/** Returns a person's chosen name, or else the email address. */
export function personName({ name, email }: { name?: string | null; email: string | null }): string {
  return name ?? email ?? 'Another person';
}
