import { adminDb } from '@/lib/supabase/admin';
import { readStored } from '../changes/read-parts';
import { type StoredPage, type StoredSection, sectionParts } from '../changes/spec-parts';
import { MAX_PAGE_CHARS } from '../pdf/text-limits';
import type { StandardSection } from './schema';

/** Truncates text to the maximum length of a section's text. */
function cut(text: string): string {
  if (text.length <= MAX_PAGE_CHARS) return text;
  // A character takes at most two code units.
  return [...text.slice(0, 2 * MAX_PAGE_CHARS)].slice(0, MAX_PAGE_CHARS).join('');
}

const lacksText = ({ text, page }: StandardSection) => text === null && page !== null;

/**
 * Adds text to the sections that have a page but no text: the text on the PDF's pages between the section's title and
 * the next section. `stored` and `pages` must contain all sections and pages of the spec, because a section ends where
 * the next one starts.
 */
export function withPageTexts(
  sections: StandardSection[],
  stored: StoredSection[],
  pages: StoredPage[],
): StandardSection[] {
  // Drop the part for the text before the first section, if there is one.
  const parts = sectionParts(stored, pages).slice(-stored.length);
  return sections.map((section) => {
    const part = parts[section.number - 1];
    // The sections may have changed between the reads of `sections` and `stored`.
    const isSame = stored[section.number - 1]?.title === section.title;
    return lacksText(section) && part && isSame ? { ...section, text: cut(part.text) || null } : section;
  });
}

/**
 * Works like `withPageTexts`, but reads the stored sections and pages itself. If no section needs text from the pages,
 * reads nothing. Throws `unavailable`.
 */
export async function addPageTexts(id: string, sections: StandardSection[]): Promise<StandardSection[]> {
  if (!sections.some(lacksText)) return sections;
  return withPageTexts(sections, ...(await readStored(adminDb(), id)));
}
