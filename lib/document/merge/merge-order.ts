/** Returns the ids of the longest subsequence of `after` that is in the same relative order in `before`. */
function steadyIds(before: readonly string[], after: readonly string[]): Set<string> {
  type Step = { id: string; position: number; previous: Step | undefined };
  const positions = new Map(before.map((id, position) => [id, position]));
  // Holds one subsequence of each length. The item at index n is the last step of the subsequence of n + 1 ids that, of
  // all those found so far, ends earliest in `before`.
  const series: Step[] = [];
  for (const id of after) {
    const index = positions.get(id);
    if (index === undefined) continue;
    const longer = series.findLastIndex((last) => last.position < index) + 1;
    series[longer] = { id, position: index, previous: series[longer - 1] };
  }
  const steady = new Set<string>();
  for (let step = series.at(-1); step; step = step.previous) steady.add(step.id);
  return steady;
}

/**
 * Merges the order of two lists of ids that were changed from `base`. Returns every id of both lists. An id that
 * `second` added or moved, or that `first` lacks, comes right after its predecessor in `second`, or at the start if it
 * has none. All other ids keep the order of `first`.
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
