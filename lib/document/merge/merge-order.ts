/** The ids of `after` that kept their order since `before`: the longest such series. */
function steadyIds(before: readonly string[], after: readonly string[]): Set<string> {
  const places = new Map(before.map((id, place) => [id, place]));
  const known = after.filter((id) => places.has(id));
  const placeOf = (id: string) => places.get(id) ?? 0;
  // For each id, the longest series that ends with it: its length, and the id before.
  const series: { id: string; length: number; previous: number }[] = [];
  let longest = -1;
  for (const id of known) {
    let [length, previous] = [0, -1];
    for (const [index, other] of series.entries()) {
      if (placeOf(other.id) < placeOf(id) && other.length > length)
        [length, previous] = [other.length, index];
    }
    series.push({ id, length: length + 1, previous });
    if (length + 1 > (series[longest]?.length ?? 0)) longest = series.length - 1;
  }
  const steady = new Set<string>();
  for (let at = series[longest]; at; at = series[at.previous]) steady.add(at.id);
  return steady;
}

/**
 * Merges the order of two lists of ids that were changed from `base`. Returns every id of both lists: in the order of
 * `first`, except that the ids which `second` added, moved or kept follow the id before them in `second`.
 */
export function mergeOrder(
  base: readonly string[],
  first: readonly string[],
  second: readonly string[],
): string[] {
  const steady = steadyIds(base, second);
  const inFirst = new Set(first);
  const isPlaced = (id: string) => !inFirst.has(id) || !steady.has(id);
  const result = first.filter((id) => !second.includes(id) || !isPlaced(id));
  let previous: string | null = null;
  for (const id of second) {
    if (isPlaced(id)) result.splice(previous === null ? 0 : result.indexOf(previous) + 1, 0, id);
    previous = id;
  }
  return result;
}
