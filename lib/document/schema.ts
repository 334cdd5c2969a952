import { z } from 'zod';
import { documentMasters } from './masters';
import { contentsSettings, coverSettings, documentPages } from './page-model';
import { isPageRange } from './page-range';
import { isNamePattern, nameFields } from './pdf-name';
import { documentColors, documentStyles } from './styles/named-styles';

/** Maximum size of a document as JSON, in bytes. 200 pages full of text and tables take about a quarter of it. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

export const pageFormat = z.enum(['A4', 'letter', 'A3', '16:9', 'square', 'custom']);
export const orientation = z.enum(['portrait', 'landscape']);

const side = z.number().min(50, 'must be at least 50').max(1000, 'must be at most 1000');
/** The size of the format `custom` in millimeters. Other formats ignore it. */
export const customSize = z.object({ width: side, height: side }).default({ width: 210, height: 297 });

/** A language as a BCP 47 tag, such as `en`, `pt-BR` or `zh-Hans`. */
export const languageTag = z
  .string()
  .max(35, 'must have at most 35 characters')
  .regex(/^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{1,8})*$/, 'must be a language tag like en, nb or pt-BR');

/**
 * One document of a project. `version` increases with every save; it is 0 for a main document that is not stored yet.
 */
export const projectDocument = z.object({
  version: z.int().min(0),
  format: pageFormat.default('A4'),
  orientation: orientation.default('portrait'),
  customSize,
  /**
   * The margin of pages, contents and cover in millimeters. Null, as in documents older than this setting, means the
   * former margins (see `marginsOf`).
   */
  margin: z.number().min(0, 'must be at least 0').max(100, 'must be at most 100').nullable().default(null),
  /** The language of the text, for hyphenation, quotation marks, printed labels and screen readers. */
  language: languageTag.default('en'),
  /** Whether the cover is printed. Null, the initial value, means no. */
  includecover: z.boolean().nullable().default(null),
  /** Whether the contents are printed. */
  includeToc: z.boolean().default(false),
  /** The paragraph styles. On save, their values are copied to everything that refers to them. */
  styles: documentStyles,
  /** The named colors. On save, their values are copied to everything that refers to them. */
  colors: documentColors,
  cover: coverSettings.prefault({}),
  contents: contentsSettings.prefault({}),
  masters: documentMasters,
  pages: documentPages,
});
export type ProjectDocument = z.output<typeof projectDocument>;
export type DocumentContent = Omit<ProjectDocument, 'version'>;
export type ProjectDocumentInput = z.input<typeof projectDocument>;

/**
 * The quality of printed images. It sets their maximum resolution. Images with a higher resolution are downsampled.
 * `archive` also has a higher JPEG quality.
 */
export const exportQuality = z.enum(['screen', 'print', 'archive']);
export type ExportQuality = z.infer<typeof exportQuality>;

/** Page numbers such as `1-3, 5, 8-`. Pages are counted from 1, without the cover and the contents. */
export const pageRange = z
  .string()
  .max(200, 'must have at most 200 characters')
  .refine(isPageRange, 'must be page numbers like 1-3, 5, 8-')
  .meta({
    description:
      'Pages by their places in `pages`, from 1. The cover and the contents do not count, so the printed number of a page is higher when the document has them.',
    examples: ['1-3, 5, 8-'],
  });

/** Maximum width of the bleed in millimeters. */
export const MAX_BLEED_MM = 5;
/** The width of the bleed in millimeters. */
export const bleed = z
  .number()
  .min(0, 'must be at least 0')
  .max(MAX_BLEED_MM, `must be at most ${MAX_BLEED_MM}`);

/** A pattern for the name of a PDF file, with the fields `{project}`, `{document}`, `{date}` and `{version}`. */
export const fileNamePattern = z
  .string()
  .max(120, 'must have at most 120 characters')
  .refine((value) => value.isWellFormed() && !/\p{Cc}/u.test(value), 'must be a single line')
  .refine(isNamePattern, `must have no other fields than {${nameFields.join('}, {')}}`)
  .meta({ examples: ['{project} {date} v{version}'] });

/** The options of a printed document. */
export const exportOptions = z.object({
  format: pageFormat.default('A4'),
  orientation: orientation.default('portrait'),
  customSize,
  includecover: z.boolean().default(false),
  includeToc: z.boolean().default(false),
  /** The maximum resolution of images: 110 (`screen`), 200 (`print`) or 300 (`archive`) dots per inch. */
  quality: exportQuality.default('print'),
  /** The pages to print, in addition to the cover and the contents; null for all. */
  pages: pageRange.nullable().default(null),
  /** How far backgrounds and elements are printed beyond the edges of a page, in millimeters. */
  bleed: bleed.default(0),
  cropMarks: z.boolean().default(false),
  /** Prints nearly black text and rules with black ink only. */
  pureBlack: z.boolean().default(false),
  /** Follows PDF/A-2a, the archiving standard. */
  pdfA: z.boolean().default(false),
  /**
   * Embeds the document with the prompts and seeds of its images, so that the PDF can be opened for editing. With a
   * page range, embeds only the part of the document that the range selects. Has no effect with `pdfA`.
   */
  embedDocument: z.boolean().default(false),
  /** File name pattern for downloads; null for the default pattern. */
  fileName: fileNamePattern.nullable().default(null),
  /** The version of the document when the export was requested; null if it is unknown. */
  documentVersion: z.int().min(0).nullable().default(null),
});
export type ExportOptions = z.output<typeof exportOptions>;

/**
 * The options for which a document has values of its own: the paper, and whether the cover and the contents are
 * printed.
 */
export type SheetOptions = Pick<
  ExportOptions,
  'format' | 'orientation' | 'customSize' | 'includecover' | 'includeToc'
>;

/** Returns a document's own sheet options, which are the defaults for printing it. */
export function sheetOptionsOf({
  format,
  orientation,
  customSize,
  includecover,
  includeToc,
}: Pick<ProjectDocument, keyof SheetOptions>): SheetOptions {
  return { format, orientation, customSize, includecover: includecover ?? false, includeToc };
}

/** Images with more pixels than this are not printed, because decoding one would take more than 256 MB. */
export const MAX_IMAGE_PIXELS = 64_000_000;

/** An image of a document: its key (see `imageKey`), its path in storage, and its size in pixels. */
export const storedImage = z.object({ key: z.string(), path: z.string(), width: z.int(), height: z.int() });
export type StoredImage = z.infer<typeof storedImage>;

/**
 * A problem in a printed document: its location, and a message for the user. `pageId` is the id of a page or a master;
 * it is null for the cover, the contents and the document as a whole.
 */
export const exportWarning = z.object({
  code: z.enum([
    'text_overflow',
    'low_resolution',
    'image_missing',
    'missing_glyph',
    'missing_font',
    'off_page',
    'no_bleed',
    'not_to_scale',
    'option_unmet',
  ]),
  pageId: z.string().nullable(),
  elementId: z.string().nullable(),
  message: z.string(),
});
export type ExportWarning = z.infer<typeof exportWarning>;
