/** A spreadsheet takes a text that starts like this for a formula. */
const formula = /^[=+\-@\t\r]/;

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return `"${text.replaceAll('"', '""')}"`;
}

/** Rows as CSV in UTF-8, which spreadsheets recognize by the mark at the start. A text that looks like a formula is quoted. */
export function csvOf(rows: (string | number)[][]): string {
  return `\ufeff${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}
