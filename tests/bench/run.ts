import { inspect } from 'node:util';
import { callbackToClient } from '@/tests/bench/callback-to-client';
import { imageCallback, sendMessage, specCallback } from '@/tests/bench/calls';
import { capacity } from '@/tests/bench/capacity';
import { editorDrag } from '@/tests/bench/editor-drag';
import { export8, export200, exportOne, exportSize } from '@/tests/bench/export';
import { exportPeers } from '@/tests/bench/export-peers';
import { growth } from '@/tests/bench/growth';
import { largestPaints } from '@/tests/bench/largest-paint';
import { lightboxNext } from '@/tests/bench/lightbox-next';
import { listMillion } from '@/tests/bench/list-1m';
import { materialHit } from '@/tests/bench/material-hit';
import { materialMemory } from '@/tests/bench/material-memory';
import { materialSearch } from '@/tests/bench/material-search';
import { materialSearchQuality } from '@/tests/bench/material-search-quality';
import { memoryAtRest } from '@/tests/bench/memory-at-rest';
import type { BenchResult, BenchRow } from '@/tests/bench/row';
import { severalInstances } from '@/tests/bench/several-instances';
import { manySpecs } from '@/tests/bench/specs-100k';
import { uploadMemory } from '@/tests/bench/upload-memory';
import { uploadTable } from '@/tests/bench/upload-table';

/** All rows of the table. `npm run bench -- <name> …` runs only the named ones. */
const rows: BenchRow[] = [
  uploadMemory,
  uploadTable,
  memoryAtRest,
  sendMessage,
  imageCallback,
  specCallback,
  listMillion,
  manySpecs,
  callbackToClient,
  materialSearch,
  materialSearchQuality,
  materialMemory,
  materialHit,
  largestPaints,
  lightboxNext,
  editorDrag,
  export200,
  export8,
  exportOne,
  exportSize,
  exportPeers,
  growth,
  severalInstances,
  capacity,
];

const selected = process.argv.slice(2);
const unknown = selected.filter((name) => !rows.some((row) => row.name === name));
if (unknown.length > 0) {
  const names = rows.map((row) => row.name).join(', ');
  process.stderr.write(`There is no row ${unknown.join(', ')}; there are ${names}.\n`);
  process.exit(2);
}

const widths = [20, 8, 66, 14, 6] as const;
const line = (cells: readonly string[]) =>
  process.stdout.write(
    `${cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd()}\n`,
  );

/** Prints the error of a row and returns the result of a failed row, so that the other rows can still be measured. */
function failed(error: unknown): BenchResult {
  process.stderr.write(`${inspect(error)}\n`);
  return { measured: 'failed, see above', holds: false };
}

line(['name', 'kind', 'measured', 'bar', 'holds']);
const outcomes: boolean[] = [];
// Run the rows one after the other, because parallel rows would distort each other's measurements.
for (const row of rows.filter(({ name }) => selected.length === 0 || selected.includes(name))) {
  const { measured, bar = '–', holds } = await row.run().catch(failed);
  line([
    row.name,
    row.isAbsolute ? 'absolute' : 'ratio',
    measured,
    bar,
    holds === undefined ? '–' : holds ? 'yes' : 'NO',
  ]);
  if (holds !== undefined) outcomes.push(holds);
}
const held = outcomes.filter(Boolean).length;
process.stdout.write(`${held} of ${outcomes.length} bars hold.\n`);
process.exit(held === outcomes.length ? 0 : 1);
