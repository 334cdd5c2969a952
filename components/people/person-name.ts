/** Returns what to call a person: the name that the person has chosen, or else the email address. */
export function personName({ name, email }: { name?: string | null; email: string | null }): string {
  return name ?? email ?? 'Another person';
}
