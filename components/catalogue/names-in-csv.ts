import { catalogueName, MAX_IMPORTED_NAMES } from '@/lib/admin/schema';
import { foldText } from './matching-names';

export type NamesInCsv = {
  names: string[];
  /** Lines that were skipped, with the reason. */
  skipped: { line: number; reason: string }[];
};

const headings = ['name', 'names', 'brand', 'brands', 'area', 'areas', 'area type', 'area types'];

/**
 * Reads the names in the first column of a CSV file, or in a file with one name per line. Skips a heading, empty lines
 * and names that are not valid, and all names after the first 2,000.
 */
export async function namesInCsv(content: string): Promise<NamesInCsv> {
  const { default: papaparse } = await import('papaparse');
  const { data } = papaparse.parse<string[]>(content.replace(/^\ufeff/, ''), { skipEmptyLines: 'greedy' });
  const names: string[] = [];
  const skipped: NamesInCsv['skipped'] = [];
  for (const [index, [cell = '']] of data.entries()) {
    if (index === 0 && headings.includes(foldText(cell))) continue;
    const parsed = catalogueName.safeParse(cell);
    const reason = parsed.success
      ? `comes after the first ${MAX_IMPORTED_NAMES.toLocaleString('en')} names`
      : (parsed.error.issues[0]?.message ?? 'is not valid');
    if (parsed.success && names.length < MAX_IMPORTED_NAMES) names.push(parsed.data);
    else skipped.push({ line: index + 1, reason });
  }
  return { names, skipped };
}
