import type { z } from 'zod';
import { STANDARD_MARGIN } from '@/lib/document/margins';
import { projectDocument } from '@/lib/document/schema';

/** The fields of a document that its row stores together in the column `settings`. */
const settings = projectDocument.pick({
  customSize: true,
  margin: true,
  includecover: true,
  includeToc: true,
  styles: true,
  colors: true,
  masters: true,
});

/** Returns the value of the column `settings` for a document. */
export function settingsOf(document: z.output<typeof settings>): z.output<typeof settings> {
  const { customSize, margin, includecover, includeToc, styles, colors, masters } = document;
  return { customSize, margin, includecover, includeToc, styles, colors, masters };
}

/** Returns the row of a document in the form of the document, or an unsaved document if there is no row. */
export function documentOf(row: { settings?: unknown } | undefined): object {
  if (!row) return { version: 0, margin: STANDARD_MARGIN, pages: [] };
  const { settings, ...rest } = row;
  return { ...(typeof settings === 'object' ? settings : {}), ...rest };
}
