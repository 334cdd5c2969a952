import { link } from '@/lib/document/page-model';

/** Adds a scheme to a typed link that has none: `mailto:` to an email address, otherwise `https://`. */
function completed(typed: string): string {
  const text = typed.trim();
  if (/^[a-z][a-z\d+.-]*:/i.test(text) || text === '') return text;
  return /^[^\s@/]+@[^\s@/]+$/.test(text) ? `mailto:${text}` : `https://${text}`;
}

/** Parses a typed link. Returns its URL, or an error message if the link is invalid. */
export function parseLink(typed: string): { href: string } | { error: string } {
  const href = completed(typed);
  if (href === '') return { error: 'Enter a link.' };
  const result = link.safeParse(href);
  if (result.success) return { href };
  return { error: `This ${result.error.issues[0]?.message ?? 'is not a valid link'}.` };
}
