/** Decodes a CSV file as UTF-8 or UTF-16, or else as Windows-1252, in which Excel saves CSV files by default. */
export function decodeCsv(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Returns the rows of a CSV file, with empty rows. Detects the delimiter unless it is given. */
export async function csvRows(content: string, delimiter?: string): Promise<string[][]> {
  const { default: papaparse } = await import('papaparse');
  const text = content.replace(/^\ufeff/, '');
  // Empty lines can prevent the detection of the delimiter.
  const { meta } = papaparse.parse(text, { delimiter, preview: 10, skipEmptyLines: 'greedy' });
  return papaparse.parse<string[]>(text, { delimiter: meta.delimiter }).data;
}
