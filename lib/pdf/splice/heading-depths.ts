/**
 * Returns a function to call with the level of each heading of a document, in order. The function returns the depth at
 * which the heading is nested. The first heading gets depth 1, and no heading skips a depth, as PDF/UA requires.
 */
export function headingDepths(): (level: number) => number {
  const open: number[] = [];
  return (level) => {
    while ((open.at(-1) ?? 0) >= level) open.pop();
    return open.push(level);
  };
}
