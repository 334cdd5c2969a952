import type { z } from 'zod';
import { parseInput } from '@/lib/http/parse';
import { HttpError } from '@/lib/http/problem';
import { parseJson } from '@/lib/http/read-json';
import { overBudget } from './document/budget';
import { placeInDocument } from './schema';

/**
 * Parses the bytes of a body whose `pages` are a document. Throws `invalid_json`, or `invalid_request` that names the page
 * and element. A document over its budget is rejected before its fields are validated.
 */
export function parseDocumentBody<Schema extends z.ZodType>(
  schema: Schema,
  bytes: Uint8Array,
): z.output<Schema> {
  const value = parseJson(bytes);
  const pages = typeof value === 'object' && value !== null && 'pages' in value ? value.pages : null;
  const message = overBudget(pages);
  if (message) {
    throw new HttpError('invalid_request', `pages: ${message}.`, { errors: [{ path: 'pages', message }] });
  }
  return parseInput(schema, value, placeInDocument);
}
