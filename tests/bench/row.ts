/**
 * The result in one row of the table: the measurement, and whether it meets its bar. `holds` is undefined if there is
 * no bar.
 */
export type BenchResult = { measured: string; bar?: string; holds?: boolean };

/** One row of the table, a measurement that can also run alone: `npm run bench -- <name>`. */
export type BenchRow = { name: string; run: () => Promise<BenchResult> };
