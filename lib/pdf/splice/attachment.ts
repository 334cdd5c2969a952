import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { pdfText } from './pdf-values';
import type { PdfWriter } from './pdf-writer';

const deflated = promisify(deflate);

/** A JSON file to embed in a PDF. */
export type Attachment = { name: string; description: string; json: Uint8Array };

/**
 * Writes an embedded file (ISO 32000-1, 7.11.4). Returns catalog entries that list it as an embedded file and as the
 * source of the document (ISO 32000-2, 14.13).
 */
export async function* writeAttachment(
  writer: PdfWriter,
  { name, description, json }: Attachment,
): AsyncGenerator<Uint8Array, string> {
  const bytes = await deflated(json);
  const stream = writer.reserve();
  const head =
    `<</Type /EmbeddedFile /Subtype /application#2Fjson /Params <</Size ${json.length}>> ` +
    `/Filter /FlateDecode /Length ${bytes.length}>>`;
  yield* writer.stream(stream, head, { length: bytes.length, pieces: [bytes] });
  const file = writer.reserve();
  writer.value(
    file,
    `<</Type /Filespec /F ${pdfText(name)} /UF ${pdfText(name)} /Desc ${pdfText(description)} ` +
      `/AFRelationship /Source /EF <</F ${stream} 0 R /UF ${stream} 0 R>>>>`,
  );
  return `/Names <</EmbeddedFiles <</Names [${pdfText(name)} ${file} 0 R]>>>> /AF [${file} 0 R] `;
}
