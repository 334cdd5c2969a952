const MATCH = 'spec-match';
const CURRENT = 'spec-current-match';

/**
 * Marks the ranges of a page's matches, and marks the current match differently. Returns a function that removes the
 * marks. Does nothing in a browser without the CSS Custom Highlight API.
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
