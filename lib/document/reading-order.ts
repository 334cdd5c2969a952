import { boundsOf, type Frame } from './bounds';

/** Sorts frames into reading order: top to bottom, then left to right for those that start at a similar height. */
export function inReadingOrder<Item extends Frame>(items: readonly Item[]): Item[] {
  const line = 3;
  const placed = items.map((item) => ({ item, box: boundsOf(item) }));
  placed.sort((a, b) => a.box.top - b.box.top);
  const lines: (typeof placed)[] = [];
  for (const entry of placed) {
    const last = lines.at(-1);
    if (last?.[0] && entry.box.top - last[0].box.top <= line) last.push(entry);
    else lines.push([entry]);
  }
  return lines.flatMap((entries) => entries.sort((a, b) => a.box.left - b.box.left).map(({ item }) => item));
}
