/**
 * Decodes a CSV file. A file that starts with a UTF-16 little-endian byte order mark is decoded as UTF-16. Any other
 * file is decoded as UTF-8 or, if it is not valid UTF-8, as Windows-1252. Excel saves CSV files in Windows-1252 by
 * default on American and Western European Windows.
 */
export function decodeCsv(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Returns the rows of a CSV file, including empty ones. Detects the delimiter unless it is given. */
export async function readCsvRows(content: string, delimiter?: string): Promise<string[][]> {
  const { default: papaparse } = await import('papaparse');
  const text = content.replace(/^\ufeff/, '');
  // Skip empty lines here, because they can prevent the detection of the delimiter.
  const { meta } = papaparse.parse(text, { delimiter, preview: 10, skipEmptyLines: 'greedy' });
  return papaparse.parse<string[]>(text, { delimiter: meta.delimiter }).data;
}
