import { z } from 'zod';
import { uuid } from '@/lib/http/uuid';
import { budgetText, overBudget } from './budget';

// The page model of documents. Lengths are in millimeters, positions are relative to the upper left corner of the page,
// and font sizes are in points. Every value is bounded, so any valid document can be laid out and printed. No value is
// markup.

/** Stored in every page, so that a later version of the code can recognize pages of this model. */
export const PAGE_MODEL = 1;
export const MAX_DOCUMENT_PAGES = 200;
export const MAX_ELEMENTS = 200;
export const MAX_GUIDES = 50;
/** Maximum number of rows of a table. */
export const MAX_ROWS = 300;
/** Maximum number of image uses in the cover and the pages of a document together. Masters have their own limit. */
export const MAX_IMAGES = 1000;
/** The id of the master that a page uses by default. */
export const DEFAULT_MASTER = 'default';
/** The `masterId` of a page without a master. It is a string, because null in a request means an absent field. */
export const NO_MASTER = 'none';
/**
 * A run has at most `run` characters. A paragraph, heading or list item has at most `runs` runs. A list has at most
 * `items` items. A text element has at most `blocks` blocks.
 */
export const textLimits = { run: 20_000, runs: 500, items: 500, blocks: 500 };

// Control characters other than tabs and line breaks have no glyph, so text must not contain them. Postgres cannot
// store NUL or a lone surrogate at all.
const unprintable = /(?![\t\r\n])\p{Cc}/u;
const boundedText = (max: number) =>
  z
    .string()
    .max(max, `must have at most ${max} characters`)
    .refine((value) => value.isWellFormed(), 'must not contain broken characters')
    .refine((value) => !unprintable.test(value), 'must not contain control characters');
export const line = (max: number) =>
  boundedText(max).refine((value) => !/[\r\n\t]/.test(value), 'must be a single line');

export const id = z.string().regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, "-" or "_"');
const between = (min: number, max: number) =>
  z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`);
export const color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be a color like #1f2328');
const noColor = color.nullable().default(null);
const ink = color.default('#1f2328');
/** Id of the named color that a color field refers to. The color field itself holds the value that is printed. */
const colorId = id.optional();
const fontSize = between(4, 400).default(11);
const lineHeight = between(0.8, 4).default(1.4);
const tracking = z.int().min(-100).max(1000);
const align = z.enum(['left', 'center', 'right', 'justify']).default('left');
/** The name of a font family. */
export const fontName = line(64).regex(/^[\p{L}\p{N}][\p{L}\p{N} .+_-]*$/u, 'must be the name of a font');
/** Null means the standard family, Noto Sans. */
const font = fontName.nullable().default(null);

/**
 * Returns whether a link is a `mailto:` URL with an address, or an HTTP or HTTPS URL without a user name or password.
 * Executable URLs, such as `javascript:`, are not safe.
 */
function isSafeLink(value: string): boolean {
  if (/^mailto:/i.test(value)) return /^mailto:[^\s<>"@]+@[^\s<>"@]+$/i.test(value);
  const url = URL.parse(value);
  return /^https?:\/\//i.test(value) && url !== null && url.username === '' && url.password === '';
}
export const link = line(2000).refine(isSafeLink, 'must be an http, https or mailto URL');

export const textRun = z.object({
  text: boundedText(textLimits.run),
  bold: z.boolean().default(false),
  italic: z.boolean().default(false),
  underline: z.boolean().default(false),
  link: link.nullable().default(null),
  /** Overrides the font family of the element or of the block's style. */
  font: fontName.optional(),
  /** Overrides the font size of the element, the heading or the block's style. */
  size: between(4, 400).optional(),
  color: color.optional(),
  /** Id of the named color that `color` is copied from. */
  colorId,
  /** Additional space after each character, in thousandths of the font size. */
  tracking: tracking.optional(),
  position: z.enum(['superscript', 'subscript']).optional(),
});
const runs = z.array(textRun).max(textLimits.runs);
/** A block's paragraph style: the style's id and values. The values replace those of the element. */
export const blockStyle = z.object({
  /** Id of the style. The values below apply even if the document has no such style. */
  id,
  font,
  fontSize,
  lineHeight,
  color: ink,
  colorId,
  align,
  bold: z.boolean().optional(),
  tracking: tracking.optional(),
});
/** The paragraph style, spacing and line height that a block can have. */
export const blockFormat = {
  style: blockStyle.optional(),
  /** Space above the block in millimeters; ignored for the first block. */
  spaceBefore: between(0, 100).optional(),
  /** Space below the block in millimeters; ignored for the last block. */
  spaceAfter: between(0, 100).optional(),
  lineHeight: between(0.8, 4).optional(),
};
export const textBlock = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('heading'),
    ...blockFormat,
    level: z.union([z.literal(1), z.literal(2), z.literal(3)]),
    runs,
  }),
  z.object({ type: z.literal('paragraph'), ...blockFormat, runs }),
  z.object({
    type: z.literal('list'),
    ...blockFormat,
    ordered: z.boolean().default(false),
    items: z.array(runs).max(textLimits.items),
  }),
]);

/**
 * An image of the project: an upload by its id, or any image by its storage path. Both fields are null if there is no
 * image.
 */
const imageSource = {
  imageId: uuid.nullable().default(null),
  path: line(500).nullable().default(null),
};
const oneSource = (value: { imageId: string | null; path: string | null }) => !value.imageId || !value.path;
const twoSources = 'has two images: give either imageId or path';

const frame = {
  id,
  name: line(120).default(''),
  x: between(-2000, 2000),
  y: between(-2000, 2000),
  w: between(0.1, 2000),
  h: between(0.1, 2000),
  /** An element covers elements with a lower `z`. Among elements with the same `z`, the later one is on top. */
  z: z.int().min(-10_000).max(10_000).default(0),
  /** Degrees, clockwise, around the center. */
  rotation: between(-360, 360).default(0),
  locked: z.boolean().default(false),
  /** Id of the element's group. An element that is alone in its group counts as ungrouped. */
  groupId: id.optional(),
};

/** The fields that a paragraph style sets in an element. Tables and materials have only some of them. */
export const styleField = z.enum(['font', 'fontSize', 'lineHeight', 'color', 'align', 'bold', 'tracking']);
const styled = {
  /** Id of the paragraph style. If the document has no such style, the element keeps its own values. */
  styleId: id.optional(),
  /** Fields in which the element keeps its own value instead of the style's. */
  overrides: z.array(styleField).max(styleField.options.length).optional(),
};

export const textElement = z.object({
  ...frame,
  ...styled,
  type: z.literal('text'),
  blocks: z.array(textBlock).max(textLimits.blocks),
  font,
  fontSize,
  lineHeight,
  color: ink,
  colorId,
  fill: noColor,
  fillId: colorId,
  align,
  /** If true, all text is bold, except in blocks with a `style` of their own. */
  bold: z.boolean().optional(),
  /** Additional space after each character, in thousandths of the font size; a run can override it. */
  tracking: tracking.optional(),
  valign: z.enum(['top', 'middle', 'bottom']).default('top'),
  padding: between(0, 100).default(0),
  /** Hyphenates words at line ends, except in headings, by the rules of the document's language. */
  hyphenate: z.boolean().default(false),
  /** Whether the editor enlarges the frame to fit the text. A document is printed with the stored frame. */
  grows: z.boolean().optional(),
});

const fraction = between(0, 1);
export const imageElement = z
  .object({
    ...frame,
    type: z.literal('image'),
    ...imageSource,
    /**
     * `cover` fills the frame and cuts off what extends beyond it; `contain` fits the whole image or its crop into the
     * frame.
     */
    fit: z.enum(['cover', 'contain']).default('cover'),
    /** The visible part of the image, as fractions of its width and height. */
    crop: z
      .object({ x: fraction, y: fraction, w: between(0.01, 1), h: between(0.01, 1) })
      .refine(({ x, y, w, h }) => x + w <= 1.000001 && y + h <= 1.000001, 'must be within the image')
      .nullable()
      .default(null),
    alt: line(500).default(''),
  })
  .refine(oneSource, twoSources);

export const materialElement = z
  .object({
    ...frame,
    ...styled,
    type: z.literal('material'),
    materialId: line(100),
    title: line(200),
    ...imageSource,
    /** The color of a swatch without an image. */
    swatch: color.default('#d8d4cc'),
    swatchId: colorId,
    rows: z
      .array(z.object({ label: line(100), value: line(500) }))
      .max(30)
      .default([]),
    font,
    fontSize: between(4, 400).default(9),
    color: ink,
    colorId,
    /**
     * Fills the swatch with the image, repeated at a scale of 1:`ratio`. The image shows `width` by `height`
     * millimeters of the material.
     */
    trueScale: z
      .object({
        ratio: z.union([z.literal(1), z.literal(2), z.literal(5)]),
        width: between(1, 20_000),
        height: between(1, 20_000),
      })
      .nullable()
      .default(null),
  })
  .refine(oneSource, twoSources);

/** A cell that shows an image above its text. The image keeps its aspect ratio. */
const pictureCell = z
  .object({
    text: boundedText(1000).default(''),
    ...imageSource,
    /** The height of the image in millimeters. The image is smaller if the column is too narrow. */
    height: between(3, 300).default(20),
    alt: line(500).default(''),
  })
  .refine(oneSource, twoSources);
const tableCell = z.union([boundedText(1000), pictureCell]);

export const tableElement = z
  .object({
    ...frame,
    ...styled,
    type: z.literal('table'),
    columns: z
      .array(z.object({ label: line(200), width: between(0.1, 100).default(1), align }))
      .min(1)
      .max(20),
    header: z.boolean().default(true),
    rows: z
      .array(z.array(tableCell).min(1).max(20))
      .max(MAX_ROWS, `must have at most ${MAX_ROWS} rows`)
      .meta({ description: 'Each row has as many cells as there are columns.' }),
    font,
    fontSize: between(4, 400).default(9),
    color: ink,
    colorId,
    lineColor: color.default('#c9ccd1'),
    lineColorId: colorId,
    headerFill: noColor,
    headerFillId: colorId,
    /** Rows that do not fit in this table continue in the tables whose `continues` is this id, in page order. */
    flowId: id.optional(),
    /**
     * For a table with a `flowId`: the index of the first row in each table that continues it. The editor measures the
     * rows and keeps the indexes up to date.
     */
    breaks: z.array(z.int().min(0).max(MAX_ROWS)).max(MAX_DOCUMENT_PAGES).optional(),
    /** The `flowId` of the table that this table continues. Only the frame of a continuing table is used. */
    continues: id.optional(),
  })
  .refine(({ columns, rows }) => rows.every((row) => row.length === columns.length), {
    path: ['rows'],
    message: 'must each have as many cells as there are columns',
  });

export const shapeElement = z.object({
  ...frame,
  type: z.literal('shape'),
  /** A line runs from left to right through the middle of its frame. */
  kind: z.enum(['rect', 'ellipse', 'line']),
  fill: noColor,
  fillId: colorId,
  stroke: noColor,
  strokeId: colorId,
  strokeWidth: between(0, 50).default(0.3),
  /** The corner radius of a rectangle. */
  radius: between(0, 1000).default(0),
});

export const pageElement = z.discriminatedUnion('type', [
  textElement,
  imageElement,
  materialElement,
  tableElement,
  shapeElement,
]);

/** All fields of each element type, including optional ones. */
export const elementFields = {
  text: textElement.shape,
  image: imageElement.shape,
  material: materialElement.shape,
  table: tableElement.shape,
  shape: shapeElement.shape,
};

function firstTwice(ids: string[]): number {
  const seen = new Set<string>();
  return ids.findIndex((value) => seen.size === seen.add(value).size);
}

/** Returns a zod refinement that adds an issue for the first duplicate id. */
export function unique<Item extends { id: string }>(what: string) {
  return (items: Item[], context: z.RefinementCtx) => {
    const at = firstTwice(items.map((item) => item.id));
    if (at >= 0)
      context.addIssue({ code: 'custom', path: [at, 'id'], message: `is already used by another ${what}` });
  };
}

/**
 * A line for aligning elements in the editor. It is never printed. `axis` is `x` for a vertical line at x = `at`, and
 * `y` for a horizontal line at y = `at`, in millimeters.
 */
export const pageGuide = z.object({ axis: z.enum(['x', 'y']), at: between(-2000, 2000) });

/** A page, which is printed on one sheet. Masters are stored in the same form. */
export const pageData = z.object({
  model: z.literal(PAGE_MODEL).default(PAGE_MODEL),
  id,
  title: line(200).default(''),
  inToc: z.boolean().default(true),
  /**
   * If true, the title and the page number are printed at the bottom. Each of them is left out if the master prints it
   * there.
   */
  footer: z.boolean().default(true),
  background: color.default('#ffffff'),
  backgroundId: colorId,
  /** The id of the master printed behind the elements, or `none`. The id of a missing master counts as `none`. */
  masterId: id.default(DEFAULT_MASTER),
  elements: z
    .array(pageElement)
    .max(MAX_ELEMENTS, `must have at most ${MAX_ELEMENTS} elements`)
    .superRefine(unique('element')),
  guides: z.array(pageGuide).max(MAX_GUIDES, `must have at most ${MAX_GUIDES} guides`).optional(),
});
export const documentPages = z
  .array(pageData)
  .max(MAX_DOCUMENT_PAGES, `must have at most ${MAX_DOCUMENT_PAGES} pages`)
  .superRefine(unique('page'))
  .superRefine((pages, context) => {
    const message = overBudget(pages);
    if (message) context.addIssue({ code: 'custom', message });
  })
  .refine((pages) => imagesOf(pages).length < MAX_IMAGES, `must show fewer than ${MAX_IMAGES} images`)
  .describe(budgetText);

/** The id of the master printed on the sheet, or `none`. The id of a missing master counts as `none`. */
const frontMasterId = id.default(NO_MASTER);

export const coverSettings = z
  .object({
    /** Defaults to the project's name when empty. */
    title: line(200).default(''),
    subtitle: line(300).default(''),
    client: line(200).default(''),
    date: line(100).default(''),
    background: color.default('#ffffff'),
    backgroundId: colorId,
    color: ink,
    colorId,
    ...imageSource,
    /** Where the image is: above the text, to its left, or behind it on the whole sheet. */
    layout: z.enum(['top', 'left', 'full']).default('top'),
    align: z.enum(['left', 'center', 'right']).default('left'),
    valign: z.enum(['top', 'middle', 'bottom']).default('bottom'),
    font,
    /** The font size of the title in points; null for the largest standard size at which the text fits. */
    titleSize: between(8, 200).nullable().default(null),
    masterId: frontMasterId,
  })
  .refine(oneSource, twoSources);

/** The settings of the table of contents. */
export const contentsSettings = z.object({
  /** If empty, the title is the word for “contents” in the document's language. */
  title: line(200).default(''),
  font,
  color: ink,
  colorId,
  masterId: frontMasterId,
});

export type PageInput = z.input<typeof pageData>;
export type PageData = z.output<typeof pageData>;
export type PageGuide = z.output<typeof pageGuide>;
export type PageElement = z.output<typeof pageElement>;
export type TextElement = z.output<typeof textElement>;
export type TextRun = z.output<typeof textRun>;
export type TextBlock = z.output<typeof textBlock>;
export type BlockStyle = z.output<typeof blockStyle>;
export type ImageElement = z.output<typeof imageElement>;
export type MaterialElement = z.output<typeof materialElement>;
export type TableElement = z.output<typeof tableElement>;
export type TableCell = z.output<typeof tableCell>;
export type PictureCell = z.output<typeof pictureCell>;
export type ShapeElement = z.output<typeof shapeElement>;
export type CoverSettings = z.output<typeof coverSettings>;
export type ContentsSettings = z.output<typeof contentsSettings>;
export type ImageSource = { imageId: string | null; path: string | null };

/** Schema of a key that `imageKey` returns. */
export const imageKeyText = line(500).min(1, 'must not be empty');
/**
 * Returns the key of an image: its id in lowercase, or its path if it has no id. Returns null if it has neither. An
 * empty path counts as none.
 */
export function imageKey({ imageId, path }: ImageSource): string | null {
  return imageId?.toLowerCase() ?? (path || null);
}

/**
 * Returns the parts of an element that can show an image. For an image or a material, this is the element itself. For a
 * table, these are its picture cells.
 */
export function imageSourcesOf(element: PageElement): ImageSource[] {
  if (element.type === 'image' || element.type === 'material') return [element];
  if (element.type !== 'table') return [];
  return element.rows.flat().filter((cell) => typeof cell !== 'string');
}

/** Returns every use of an image in the pages, in the order of pages, elements and table cells. */
export function imagesOf(pages: PageData[]) {
  return pages.flatMap((page, pageIndex) =>
    page.elements.flatMap((element, elementIndex) =>
      imageSourcesOf(element).flatMap((source) => {
        const key = imageKey(source);
        return key === null ? [] : [{ key, source, page, pageIndex, elementIndex }];
      }),
    ),
  );
}

/** An image for the renderer: its URL, and its size in pixels after the EXIF orientation has been applied. */
export type DocumentImage = {
  src: string;
  width: number;
  height: number;
  /**
   * For screens. `sources` is a `srcset` of smaller images. `scale` is the scale at which the sheet is shown, rounded
   * up to a power of two.
   */
  views?: { sources: string; scale: number };
};
/** Images by the key that `imageKey` returns. */
export type DocumentImages = ReadonlyMap<string, DocumentImage>;
