import { createHash } from 'node:crypto';
import { z } from 'zod';
import { mastersBudget, overBudget } from '@/lib/document/budget';
import { imageKey, imagesOf, type PageData } from '@/lib/document/page-model';
import { missingPage } from '@/lib/document/page-range';
import { projectFontNames } from '@/lib/document/project-fonts';
import { withRestored } from '@/lib/document/restore-version';
import { MAX_DOCUMENT_BYTES, type ProjectDocument, projectDocument } from '@/lib/document/schema';
import { elementTexts } from '@/lib/document/sheet-texts';
import { withStyles } from '@/lib/document/styles/apply-styles';
import { HttpError } from '@/lib/errors/problem';
import type { Bytes } from '@/lib/http/join-bytes';
import { parseInput } from '@/lib/http/parse';
import { parseJson } from '@/lib/http/read-json';
import { documentOf } from './document-row';
import { type GivenDocument, jsonBytes, type PackedDocument } from './packed-document';
import { describePathInDocument, exportBody, savedDocument } from './schema';
import { documentSettings } from './stored-settings';

// The functions that parse documents are slow for large documents, so they run in worker threads (see
// `app/document-tasks.ts`).

/**
 * Parses the JSON of a document, or of a request body that contains a document's `pages`. Checks the document's budget
 * (see `overBudget`) before validating the fields. Throws `invalid_json` or `invalid_request`. If a field of a page or
 * master is invalid, the message names that page or master, and also the element if the field belongs to one.
 */
export function parseDocumentBody<Schema extends z.ZodType>(
  schema: Schema,
  bytes: Uint8Array,
): z.output<Schema> {
  return parseDocument(schema, parseJson(bytes));
}

const fieldsOf = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

function parseDocument<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const body = fieldsOf(value);
  const problems = {
    pages: 'pages' in body && overBudget(body.pages),
    masters: 'masters' in body && overBudget(body.masters, mastersBudget, 'masters'),
  };
  for (const [path, message] of Object.entries(problems)) {
    if (message)
      throw new HttpError('invalid_request', `${path}: ${message}.`, { errors: [{ path, message }] });
  }
  return parseInput(schema, value, describePathInDocument);
}

/**
 * Throws `too_large` if `bytes` exceeds `MAX_DOCUMENT_BYTES`. `bytes` is the size of a document, or of its pages, with
 * all defaults filled in. This check is needed because the defaults can make the stored document larger than the
 * request that saved it, and a client must be able to send the stored document back.
 */
export function requireStorable(bytes: number): void {
  if (bytes <= MAX_DOCUMENT_BYTES) return;
  const message = `With all its settings the document has more than ${MAX_DOCUMENT_BYTES >> 20} MB.`;
  throw new HttpError('too_large', message);
}

function packed({ pages, ...rest }: ProjectDocument): PackedDocument {
  return { ...rest, pages: jsonBytes(pages) };
}

/**
 * Parses the body of a save and applies the document's styles. Settings that the body leaves out are absent from the
 * result. Settings that are null get their defaults. Throws what `parseDocumentBody` throws.
 */
export function parseSaved(body: Bytes): GivenDocument {
  const value = parseJson(body);
  const saved: GivenDocument = packed(withStyles(parseDocument(savedDocument, value)));
  for (const setting of documentSettings.keyof().options) {
    if (!Object.hasOwn(fieldsOf(value), setting)) delete saved[setting];
  }
  return saved;
}

/** Returns the keys of the images in the masters with these ids. */
export function masterImageKeys(masters: PageData[], ids: readonly string[]): string[] {
  return imagesOf(masters.filter(({ id }) => ids.includes(id))).map(({ key }) => key);
}

const named = z.object({ projectId: exportBody.shape.projectId });

/**
 * Returns the `projectId` in the body of an export, without validating the rest of the body. Throws `invalid_json` or
 * `invalid_request`.
 */
export function parseExportProject(body: Bytes): { projectId: string } {
  return parseInput(named, parseJson(body));
}

/** A parsed export body: its pages as JSON, their SHA-256 in hex, and the keys of their images (see `imageKey`). */
export type ParsedExport = Omit<z.output<typeof exportBody>, 'pages'> & {
  pages: Bytes;
  pagesSha256: string;
  imageKeys: string[];
  /** The ids of the masters that the pages use. */
  masterIds: string[];
};

/** Throws `invalid_request` if the range names a page that the document does not have. */
function requirePages(range: string | null, count: number): void {
  const missing = range === null ? null : missingPage(range, count);
  if (missing === null) return;
  const message = `names page ${missing}, but the document has only ${count === 1 ? '1 page' : `${count} pages`}`;
  const errors = [{ path: 'options.pages', message }];
  throw new HttpError('invalid_request', `options.pages ${message}.`, { errors });
}

/**
 * Parses the body of an export and applies the styles that it contains. Throws what `parseDocumentBody` throws, or
 * `too_large`.
 */
export function parseExport(body: Bytes): ParsedExport {
  const given = parseDocumentBody(exportBody, body);
  const { styles = [], colors = [] } = given;
  const { pages, ...rest } = withStyles({ ...given, styles, colors });
  const bytes = jsonBytes(pages);
  requireStorable(bytes.byteLength);
  requirePages(rest.options.pages ?? null, pages.length);
  const pagesSha256 = createHash('sha256').update(bytes).digest('hex');
  const masterIds = [...new Set(pages.map(({ masterId }) => masterId))];
  return {
    ...rest,
    // If the body leaves these out, `createExport` uses the stored ones.
    styles: given.styles && rest.styles,
    colors: given.colors,
    pages: bytes,
    pagesSha256,
    imageKeys: imagesOf(pages).map(({ key }) => key),
    masterIds,
  };
}

function parseRow(rows: Bytes): ProjectDocument {
  const [row] = JSON.parse(new TextDecoder().decode(rows));
  return projectDocument.parse(documentOf(row));
}

/**
 * Parses the rows of the current version and of an earlier version of a document. Returns the current version with the
 * pages in `pageIds` restored from the earlier version. If `pageIds` is null, restores all of the earlier version's
 * content. Throws `invalid_request` if the earlier version lacks one of the pages, or if the result exceeds a limit.
 */
export function parseRestored({
  current,
  earlier,
  pageIds,
}: {
  current: Bytes;
  earlier: Bytes;
  pageIds: string[] | null;
}): GivenDocument {
  const { version: _, ...kept } = parseRow(earlier);
  const missing = pageIds?.find((id) => !kept.pages.some((page) => page.id === id));
  if (missing !== undefined) {
    const message = `names the page ${missing}, which the version does not have`;
    throw new HttpError('invalid_request', `pageIds ${message}.`, { errors: [{ path: 'pageIds', message }] });
  }
  return parseSaved(jsonBytes(withRestored(parseRow(current), kept, pageIds)));
}

/**
 * Parses the result of `documentRows` or `versionRows`. Returns the document, the distinct keys of its images (see
 * `imageKey`), and the distinct names of its fonts that are not library fonts.
 */
export function parseStored(rows: Bytes): {
  document: PackedDocument;
  imageKeys: string[];
  fontNames: string[];
} {
  const document = parseRow(rows);
  const shown = [...document.masters, ...document.pages];
  const keys = [imageKey(document.cover), ...imagesOf(shown).map(({ key }) => key)];
  const texts = shown.flatMap(({ elements }) => elements.flatMap(elementTexts));
  return {
    document: packed(document),
    imageKeys: [...new Set(keys.filter((key) => key !== null))],
    fontNames: projectFontNames([document.cover, document.contents, ...texts]),
  };
}
