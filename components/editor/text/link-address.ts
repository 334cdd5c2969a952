import { link } from '@/lib/export/document/page-model';

/** What somebody typed as an address: one without a scheme is meant for the web, or for a mailbox. */
function completed(typed: string): string {
  const text = typed.trim();
  if (/^[a-z][a-z\d+.-]*:/i.test(text) || text === '') return text;
  return /^[^\s@/]+@[^\s@/]+$/.test(text) ? `mailto:${text}` : `https://${text}`;
}

/** The address of a link as the model keeps it, or why it is none. */
export function readLink(typed: string): { href: string } | { error: string } {
  const href = completed(typed);
  if (href === '') return { error: 'Type an address first.' };
  const result = link.safeParse(href);
  if (result.success) return { href };
  return { error: `This ${result.error.issues[0]?.message ?? 'is not an address'}.` };
}
