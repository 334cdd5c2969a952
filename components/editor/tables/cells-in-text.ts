/**
 * Removes control characters except tabs and line breaks, and replaces unpaired surrogates, because the page model
 * rejects both. Line breaks become `\n`.
 */
export function printableCell(cell: string): string {
  return cell
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\t\n])\p{Cc}/gu, '');
}

/**
 * Returns the cells of tab-separated text, the format in which spreadsheets copy cells. Spreadsheets may quote a cell
 * that contains a line break, a tab or a quote. Quotes around any other cell are part of its text.
 */
export function cellsInText(text: string): string[][] {
  const cell = /(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r\n|\r|\n|$)/y;
  const rows: string[][] = [];
  let row: string[] = [];
  while (cell.lastIndex < text.length || row.length > 0 || rows.length === 0) {
    const [, quoted, plain = '', end] = cell.exec(text) ?? [];
    const isQuoted = quoted !== undefined && /["\t\r\n]/.test(quoted);
    row.push(
      printableCell(isQuoted ? quoted.replaceAll('""', '"') : quoted === undefined ? plain : `"${quoted}"`),
    );
    if (end === '\t') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
