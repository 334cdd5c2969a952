import type { z } from 'zod';
import { STANDARD_MARGIN } from '@/lib/document/margins';
import { projectDocument } from '@/lib/document/schema';
import { missingRecord } from '@/lib/errors/missing-record';

/** Returns the error for a `documentId` that names no document of a project that the caller can see. */
export const noDocument = () => missingRecord(['documentId'], 'document of the project');

/** The fields of a document that are stored together in the column `settings` of its row. */
const settings = projectDocument.pick({
  customSize: true,
  margin: true,
  includecover: true,
  includeToc: true,
  contents: true,
  styles: true,
  colors: true,
  masters: true,
});

/** Returns the value of the column `settings` for a document. */
export function settingsOf(document: z.output<typeof settings>): z.output<typeof settings> {
  const { customSize, margin, includecover, includeToc, contents, styles, colors, masters } = document;
  return { customSize, margin, includecover, includeToc, contents, styles, colors, masters };
}

/** Converts a row to a document. Without a row, returns an empty document with version 0. */
export function documentOf(row: { settings?: unknown } | undefined): object {
  if (!row) return { version: 0, margin: STANDARD_MARGIN, pages: [] };
  const { settings, ...rest } = row;
  return { ...(typeof settings === 'object' ? settings : {}), ...rest };
}
