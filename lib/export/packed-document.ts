import type { ProjectDocument } from '@/lib/document/schema';
import { type Bytes, joinBytes } from '@/lib/http/join-bytes';

/**
 * A document whose pages are JSON in UTF-8: only worker threads parse pages, and all other code passes them on
 * unchanged.
 */
export type PackedDocument = Omit<ProjectDocument, 'pages'> & { pages: Bytes };

/** A value as JSON in UTF-8. */
export function jsonBytes(value: unknown): Bytes {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** An object, which must not be empty, with one more member whose JSON is given, as JSON in UTF-8. */
export function jsonWith(object: object, name: string, json: Bytes): Bytes {
  const start = `${JSON.stringify(object).slice(0, -1)},${JSON.stringify(name)}:`;
  return joinBytes([new TextEncoder().encode(start), json, new TextEncoder().encode('}')]);
}
