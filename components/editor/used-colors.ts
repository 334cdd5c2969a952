import type { EditorDocument } from './editor-change';

/** Maximum number of pages to search for colors. */
const MAX_PAGES = 50;

const colorIn = (text: string) => /^#[0-9a-f]{6}$/i.test(text);

function* colorsIn(value: unknown): Generator<string> {
  if (typeof value === 'string' && colorIn(value)) yield value.toLowerCase();
  else if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) yield* colorsIn(member);
}

/**
 * Returns the colors on a document's cover, masters and first `MAX_PAGES` pages, most frequent first. Returns at most
 * `max` colors.
 */
export function usedColors(
  { cover, masters, pages }: Pick<EditorDocument, 'cover' | 'masters' | 'pages'>,
  max: number,
): string[] {
  const counts = new Map<string, number>();
  for (const color of colorsIn([cover, masters, pages.slice(0, MAX_PAGES)]))
    counts.set(color, (counts.get(color) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, max)
    .map(([color]) => color);
}
