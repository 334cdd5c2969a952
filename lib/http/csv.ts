/** Spreadsheets treat text that starts with one of these characters as a formula. */
const formula = /^[=+\-@\t\r]/;

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return `"${text.replaceAll('"', '""')}"`;
}

/** Formats rows as CSV, without a byte order mark. Text that looks like a formula gets a leading apostrophe. */
export function csvLines(rows: (string | number)[][]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** Formats rows as a CSV file, with a byte order mark so that spreadsheets recognize UTF-8. */
export function csvOf(rows: (string | number)[][]): string {
  return `\ufeff${csvLines(rows)}`;
}
