import type { ProjectDocument } from '@/lib/document/schema';
import { type Bytes, joinBytes } from '@/lib/http/join-bytes';

/**
 * A document whose pages are JSON in UTF-8. Only worker threads parse the pages; all other code passes them on
 * unchanged.
 */
export type PackedDocument = Omit<ProjectDocument, 'pages'> & { pages: Bytes };

/** The body of a save request. Settings that the client leaves out are absent. */
export type GivenDocument = Pick<PackedDocument, 'version' | 'pages'> &
  Partial<Omit<PackedDocument, 'version' | 'pages'>>;

export function jsonBytes(value: unknown): Bytes {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** Encodes a non-empty object as JSON in UTF-8, and adds `json` to it as a member with the given name. */
export function jsonWith(object: object, name: string, json: Bytes): Bytes {
  const start = `${JSON.stringify(object).slice(0, -1)},${JSON.stringify(name)}:`;
  return joinBytes([new TextEncoder().encode(start), json, new TextEncoder().encode('}')]);
}
