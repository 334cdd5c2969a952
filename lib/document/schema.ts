import { z } from 'zod';
import { coverSettings, documentPages } from './page-model';

/** Maximum size of a document as JSON in bytes; 200 full pages take about a quarter of it. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

export const pageFormat = z.enum(['A4', 'letter']);
export const orientation = z.enum(['portrait', 'landscape']);

/** A language as a BCP 47 tag, such as `en`, `pt-BR` or `zh-Hans`. */
export const languageTag = z
  .string()
  .max(35, 'must have at most 35 characters')
  .regex(/^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{1,8})*$/, 'must be a language tag like en, nb or pt-BR');

/** A project's document. `version` increases with every save; 0 is the empty document before the first save. */
export const projectDocument = z.object({
  version: z.int().min(0),
  format: pageFormat.default('A4'),
  orientation: orientation.default('portrait'),
  /** The language of the texts, for screen readers. */
  language: languageTag.default('en'),
  cover: coverSettings.prefault({}),
  pages: documentPages,
});
export type ProjectDocument = z.output<typeof projectDocument>;
/** A document without its version. */
export type DocumentContent = Omit<ProjectDocument, 'version'>;
export type ProjectDocumentInput = z.input<typeof projectDocument>;

/** The maximum resolution of printed images. Those with a higher one are downsampled. */
export const exportQuality = z.enum(['screen', 'print', 'archive']);
export type ExportQuality = z.infer<typeof exportQuality>;

/** The options of a printed document. */
export const exportOptions = z.object({
  format: pageFormat.default('A4'),
  orientation: orientation.default('portrait'),
  includecover: z.boolean().default(false),
  includeToc: z.boolean().default(false),
  /** Selects the maximum resolution of images: 110, 200 or 300 dots per inch. */
  quality: exportQuality.default('print'),
});
export type ExportOptions = z.output<typeof exportOptions>;

/** Images with more pixels than this are not printed: decoded, they would take more than a quarter of a gigabyte. */
export const MAX_IMAGE_PIXELS = 64_000_000;

/** An image of a document: its key in the elements, where its file is stored, and its size in pixels. */
export const storedImage = z.object({ key: z.string(), path: z.string(), width: z.int(), height: z.int() });
export type StoredImage = z.infer<typeof storedImage>;

/** A problem in a printed document: its location, and a message for the user. */
export const exportWarning = z.object({
  code: z.enum([
    'text_overflow',
    'low_resolution',
    'image_missing',
    'missing_glyph',
    'missing_font',
    'off_page',
  ]),
  pageId: z.string().nullable(),
  elementId: z.string().nullable(),
  message: z.string(),
});
export type ExportWarning = z.infer<typeof exportWarning>;
