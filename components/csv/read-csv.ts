/**
 * Decodes a CSV file: as UTF-16 if it starts with a little-endian byte order mark, otherwise as UTF-8 if it is valid
 * UTF-8, otherwise as Windows-1252, Excel's default for CSV files on American and Western European Windows.
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
export async function csvRows(content: string, delimiter?: string): Promise<string[][]> {
  const { default: papaparse } = await import('papaparse');
  const text = content.replace(/^\ufeff/, '');
  // Skip empty lines here, because they can prevent the detection of the delimiter.
  const { meta } = papaparse.parse(text, { delimiter, preview: 10, skipEmptyLines: 'greedy' });
  return papaparse.parse<string[]>(text, { delimiter: meta.delimiter }).data;
}
