/**
 * The result of a benchmark: the measurement, its bar, and whether the measurement meets the bar. `holds` is undefined
 * if there is no bar.
 */
export type BenchResult = { measured: string; bar?: string; holds?: boolean };

/** One row of the benchmark table. `npm run bench -- <name>` runs it alone. */
export type BenchRow = {
  name: string;
  /** Whether the row measures times, sizes or scores instead of a ratio within one run. */
  isAbsolute?: true;
  run: () => Promise<BenchResult>;
};
