const MATCH = 'spec-match';
const CURRENT = 'spec-current-match';

/**
 * Marks ranges of a page, and the current match among them. Returns a function that removes the marks. Does nothing in
 * a browser without the CSS Custom Highlight API.
 */
export function markMatches(ranges: Range[], current: Range | undefined): () => void {
  if (!('highlights' in CSS)) return () => {};
  // All pages share one highlight.
  const marks = CSS.highlights.get(MATCH) ?? new Highlight();
  CSS.highlights.set(MATCH, marks);
  for (const range of ranges) marks.add(range);
  if (current) {
    const shown = new Highlight(current);
    shown.priority = 1;
    CSS.highlights.set(CURRENT, shown);
  }
  return () => {
    for (const range of ranges) marks.delete(range);
    if (current) CSS.highlights.delete(CURRENT);
  };
}
