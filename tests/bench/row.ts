/**
 * One line of the table: the measurement, and whether it meets its bar. `holds` undefined: there is no bar.
 */
export type BenchResult = { measured: string; bar?: string; holds?: boolean };

/** A measurement that can run alone: `npm run bench -- <name>`. */
export type BenchRow = { name: string; run: () => Promise<BenchResult> };
