import { decodeCsv, readCsvRows } from '@/components/csv/read-csv';
import { UserFacingError } from '@/components/feedback/describe-error';
import { printableCell } from './cells-in-text';

const MAX_FILE_BYTES = 2_000_000;
/** The types of files that contain cells, as the `accept` value of file inputs. */
export const CELL_FILES = '.csv,.tsv,text/csv,text/tab-separated-values';

const isTsv = ({ type, name }: Pick<File, 'type' | 'name'>) =>
  type === 'text/tab-separated-values' || /\.tsv$/i.test(name);

/** Returns whether a file is a CSV or TSV file, by its type or name. */
export function isCellFile(file: Pick<File, 'type' | 'name'>): boolean {
  return isTsv(file) || file.type === 'text/csv' || /\.csv$/i.test(file.name);
}

const isEmpty = (cell: string | undefined) => cell === undefined || cell.trim() === '';

/** Removes empty rows at the start and the end, and empty columns on the right. */
function trimmed(rows: string[][]): string[][] {
  const isFilled = (row: string[]) => !row.every(isEmpty);
  const filled = rows.slice(rows.findIndex(isFilled), rows.findLastIndex(isFilled) + 1);
  const width = filled.reduce(
    (most, row) => Math.max(most, row.findLastIndex((cell) => !isEmpty(cell)) + 1),
    0,
  );
  return filled.map((row) => row.slice(0, width));
}

/**
 * Reads the cells of a CSV or TSV file. Throws `UserFacingError` if the file is too large, unreadable or without cells.
 */
export async function cellsInFile(file: File): Promise<string[][]> {
  if (file.size > MAX_FILE_BYTES) throw new UserFacingError(`${file.name} is too large. The limit is 2 MB.`);
  const bytes = await file.arrayBuffer().catch((cause: unknown) => {
    // The file may have been moved or changed after it was chosen.
    throw new UserFacingError(`${file.name} could not be read. Choose it again.`, { cause });
  });
  const text = decodeCsv(bytes);
  if (text.includes('\0')) {
    throw new UserFacingError(`${file.name} is not a text file. Save the spreadsheet as CSV first.`);
  }
  const rows = await readCsvRows(text, isTsv(file) ? '\t' : undefined);
  const cells = trimmed(rows.map((row) => row.map(printableCell)));
  if (cells.length === 0) throw new UserFacingError(`${file.name} has no cells.`);
  return cells;
}
