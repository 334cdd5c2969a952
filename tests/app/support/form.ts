import { randomUUID } from 'node:crypto';

export type Part = {
  name: string;
  value: string | Uint8Array;
  /** Turns the part into a file with this name. */
  fileName?: string;
  type?: string;
};
export type Form = { body: Uint8Array<ArrayBuffer>; headers: { 'content-type': string } };

/**
 * Encodes the given parts as a multipart form. Keeps their order, and changes nothing except that it escapes quotes in
 * file names. FormData would repair what a test breaks on purpose.
 */
export function form(parts: Part[]): Form {
  const boundary = `----${randomUUID()}`;
  const chunks = parts.flatMap(({ name, value, fileName, type }) => [
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`,
    fileName === undefined ? '' : `; filename="${fileName.replaceAll('"', '%22')}"`,
    type ? `\r\ncontent-type: ${type}` : '',
    '\r\n\r\n',
    value,
    '\r\n',
  ]);
  const body = Buffer.concat([...chunks, `--${boundary}--\r\n`].map((chunk) => Buffer.from(chunk)));
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
}
