/** One line of the table: what was measured, and whether it holds its bar. `holds` undefined: there is no bar. */
export type BenchResult = { measured: string; bar?: string; holds?: boolean };

/** A measurement that can run by itself: `npm run bench -- <name>`. */
export type BenchRow = { name: string; run: () => Promise<BenchResult> };
