import { readCsvRows } from '@/components/csv/read-csv';
import { catalogueName, MAX_IMPORTED_NAMES } from '@/lib/admin/schema';
import { foldText } from './matching-names';

export type NamesInCsv = {
  names: string[];
  /** The lines whose names were skipped, each with the reason. Does not include the header or empty lines. */
  skipped: { line: number; reason: string }[];
};

const headings = ['name', 'names', 'brand', 'brands', 'area', 'areas', 'area type', 'area types'];

/**
 * Reads the names in the first column of a CSV file, or in a file with one name per line. Skips a header, empty lines,
 * invalid names, and all names after the first 2,000 valid ones.
 */
export async function namesInCsv(content: string): Promise<NamesInCsv> {
  // The rows include empty ones, so that the line numbers match the file.
  const data = await readCsvRows(content);
  const names: string[] = [];
  const skipped: NamesInCsv['skipped'] = [];
  let nextLine = 1;
  let isFirst = true;
  for (const cells of data) {
    const line = nextLine;
    nextLine += 1 + (cells.join(' ').match(/\r\n?|\n/g)?.length ?? 0);
    if (cells.every((cell) => cell.trim() === '')) continue;
    const [cell = ''] = cells;
    const isHeading = isFirst && headings.includes(foldText(cell));
    isFirst = false;
    if (isHeading) continue;
    const parsed = catalogueName.safeParse(cell);
    const reason = parsed.success
      ? `comes after the first ${MAX_IMPORTED_NAMES.toLocaleString('en')} names`
      : (parsed.error.issues[0]?.message ?? 'is not valid');
    if (parsed.success && names.length < MAX_IMPORTED_NAMES) names.push(parsed.data);
    else skipped.push({ line, reason });
  }
  return { names, skipped };
}
