import {
  type BlockStyle,
  type ContentsSettings,
  type CoverSettings,
  type PageData,
  type PageElement,
  styleField,
  type TextBlock,
  type TextElement,
  type TextRun,
} from '../page-model';
import { withoutUndefined } from '../without-undefined';
import type { NamedColor, OverridableField, ParagraphStyle } from './named-styles';

export type Styles = { styles: readonly ParagraphStyle[]; colors: readonly NamedColor[] };
/** An element with text, which can have a paragraph style. */
export type StyledElement = Extract<PageElement, { type: 'text' | 'material' | 'table' }>;

/** Returns whether an element can have a paragraph style. */
export const isStyled = (element: PageElement): element is StyledElement =>
  element.type === 'text' || element.type === 'material' || element.type === 'table';

/** A document, or the parts of one that are printed. */
type StyledDocument = {
  styles: ParagraphStyle[];
  colors: NamedColor[];
  cover?: CoverSettings;
  contents?: ContentsSettings;
  masters?: PageData[];
  pages: PageData[];
};
/** Returns the value of a named color, or `value` if there is no such color. */
type ColorOf = <Value extends string | null | undefined>(
  colorId: string | undefined,
  value: Value,
) => Value | string;

/** Returns the item with new values, or the item itself if it has them already. */
function updated<Item extends object>(item: Item, patch: Partial<Item>): Item {
  for (const key in patch) if (patch[key] !== item[key]) return withoutUndefined({ ...item, ...patch });
  return item;
}

/** Applies `change` to each item. Returns the list itself if no item changes. */
function mapped<Item>(items: Item[], change: (item: Item) => Item): Item[] {
  const next = items.map(change);
  return next.some((item, index) => item !== items[index]) ? next : items;
}

function colorsOf(colors: readonly NamedColor[]): ColorOf {
  const byId = new Map(colors.map(({ id, color }) => [id, color]));
  return (colorId, value) => (colorId ? (byId.get(colorId) ?? value) : value);
}

type StyleValues = Omit<ParagraphStyle, 'id' | 'name'>;
type TableValues = Pick<StyleValues, 'font' | 'fontSize' | 'color' | 'colorId'>;

const tableValues = ({ font, fontSize, color, colorId }: TableValues): TableValues => ({
  font,
  fontSize,
  color,
  colorId,
});
const textValues = (style: StyleValues): StyleValues => {
  const { lineHeight, align, bold, tracking } = style;
  // Treat false and 0 like a missing value.
  const optional = { bold: bold || undefined, tracking: tracking || undefined };
  return { ...tableValues(style), lineHeight, align, ...optional };
};

/** Converts a paragraph style to a block style. */
export const blockStyleOf = (style: ParagraphStyle): BlockStyle =>
  withoutUndefined({ id: style.id, ...textValues(style) });

/**
 * Returns an element's values for the fields that a style can set. Fields that the element leaves out are undefined.
 */
export function styleValues(element: StyledElement): Partial<StyleValues> {
  return element.type === 'text' ? textValues(element) : tableValues(element);
}

const fieldOf = (key: string) => (key === 'colorId' ? 'color' : key);

/** Returns the values whose fields are not overridden. */
function notOverridden<Values extends object>(
  values: Values,
  overrides: readonly OverridableField[],
): Partial<Values> {
  const names: readonly string[] = overrides;
  const kept: Partial<Values> = { ...values };
  for (const key in kept) if (names.includes(fieldOf(key))) delete kept[key];
  return kept;
}

function restyled(element: StyledElement, style: ParagraphStyle): StyledElement {
  return element.type === 'text'
    ? updated<TextElement>(element, notOverridden(textValues(style), element.overrides ?? []))
    : updated<Exclude<StyledElement, TextElement>>(
        element,
        notOverridden(tableValues(style), element.overrides ?? []),
      );
}

function differing<Values extends object>(values: Values, from: Values): string[] {
  const keys: string[] = [];
  for (const key in values) if (values[key] !== from[key]) keys.push(fieldOf(key));
  return keys;
}

/** Returns an element that overrides exactly these fields of its style. */
export function withOverridden<Element extends StyledElement>(
  element: Element,
  fields: OverridableField[],
): Element {
  if (fields.join() === (element.overrides ?? []).join()) return element;
  return withoutUndefined({ ...element, overrides: fields.length > 0 ? fields : undefined });
}

/** Returns the fields whose values in an element and in its style differ. */
function differingFields(element: StyledElement, style: ParagraphStyle): OverridableField[] {
  const keys =
    element.type === 'text'
      ? differing(textValues(style), textValues(element))
      : differing(tableValues(style), tableValues(element));
  return styleField.options.filter((field) => keys.includes(field));
}

/**
 * Returns the element with its overrides set to the fields that differ from its style. Returns it unchanged if it has
 * no style or the style does not exist.
 */
export function withOwnOverrides(element: PageElement, styles: readonly ParagraphStyle[]): PageElement {
  if (!isStyled(element)) return element;
  const style = styles.find(({ id }) => id === element.styleId);
  return style ? withOverridden(element, differingFields(element, style)) : element;
}

/** Call this after setting the fields named in `changed`. Returns the element with its overrides updated. */
export function withOverrides(
  element: PageElement,
  changed: readonly string[],
  styles: readonly ParagraphStyle[],
): PageElement {
  if (!isStyled(element) || element.styleId === undefined) return element;
  if (styles.some(({ id }) => id === element.styleId)) return withOwnOverrides(element, styles);
  // The style does not exist now but may be restored, so record which values were set in the meantime.
  const keys = changed.map(fieldOf);
  const fields = styleField.options.filter(
    (field) => keys.includes(field) || element.overrides?.includes(field),
  );
  return withOverridden(element, fields);
}

const runsColored = (runs: TextRun[], colorOf: ColorOf) =>
  mapped(runs, (run) => (run.colorId ? updated(run, { color: colorOf(run.colorId, run.color) }) : run));

type StyleById = ReadonlyMap<string | undefined, ParagraphStyle>;

function blockStyled(block: TextBlock, styleById: StyleById, colorOf: ColorOf): TextBlock {
  const { style: own } = block;
  const style = own && styleById.get(own.id);
  const next =
    own && updated<BlockStyle>(own, style ? textValues(style) : { color: colorOf(own.colorId, own.color) });
  return block.type === 'list'
    ? updated(block, { style: next, items: mapped(block.items, (runs) => runsColored(runs, colorOf)) })
    : updated<TextBlock>(block, { style: next, runs: runsColored(block.runs, colorOf) });
}

/** Returns an element with the current values of its named colors and of its blocks' paragraph styles. */
function colored(element: PageElement, styleById: StyleById, colorOf: ColorOf): PageElement {
  switch (element.type) {
    case 'text':
      return updated(element, {
        color: colorOf(element.colorId, element.color),
        fill: colorOf(element.fillId, element.fill),
        blocks: mapped(element.blocks, (block) => blockStyled(block, styleById, colorOf)),
      });
    case 'material':
      return updated(element, {
        color: colorOf(element.colorId, element.color),
        swatch: colorOf(element.swatchId, element.swatch),
      });
    case 'table':
      return updated(element, {
        color: colorOf(element.colorId, element.color),
        lineColor: colorOf(element.lineColorId, element.lineColor),
        headerFill: colorOf(element.headerFillId, element.headerFill),
      });
    case 'shape':
      return updated(element, {
        fill: colorOf(element.fillId, element.fill),
        stroke: colorOf(element.strokeId, element.stroke),
      });
    default:
      return element;
  }
}

/** Returns a function that copies the values of styles and colors to the parts of a page that refer to them. */
export function pageStyler({ styles, colors }: Styles): (page: PageData) => PageData {
  if (styles.length === 0 && colors.length === 0) return (page) => page;
  const colorOf = colorsOf(colors);
  const styleById: StyleById = new Map(styles.map((style) => [style.id, style]));
  const elementStyled = (element: PageElement) => {
    const style = isStyled(element) ? styleById.get(element.styleId) : undefined;
    if (!style || !isStyled(element)) return colored(element, styleById, colorOf);
    return withOwnOverrides(colored(restyled(element, style), styleById, colorOf), styles);
  };
  return (page) =>
    updated(page, {
      background: colorOf(page.backgroundId, page.background),
      elements: mapped(page.elements, elementStyled),
    });
}

/**
 * Copies the values of a document's styles and colors to everything that refers to them. Returns the document itself if
 * nothing changes. Skips pages and masters that are the same objects as in `before`, if the lists of styles and colors
 * are the same objects too.
 */
export function withStyles<Document extends StyledDocument>(
  document: Document,
  before?: StyledDocument,
): Document {
  const { styles, colors, cover, contents, masters, pages } = document;
  if (styles.length === 0 && colors.length === 0) return document;
  const isSteady = before?.styles === styles && before.colors === colors;
  const unchanged = new Set(isSteady ? [...(before.masters ?? []), ...before.pages] : []);
  const colorOf = colorsOf(colors);
  const own = {
    colors,
    styles: mapped(styles, (style) => updated(style, { color: colorOf(style.colorId, style.color) })),
  };
  const stylePage = pageStyler(own);
  const styledPage = (page: PageData) => (unchanged.has(page) ? page : stylePage(page));
  const next = updated<StyledDocument>(
    { styles, colors, cover, contents, masters, pages },
    {
      styles: own.styles,
      cover:
        cover &&
        updated(cover, {
          background: colorOf(cover.backgroundId, cover.background),
          color: colorOf(cover.colorId, cover.color),
        }),
      contents: contents && updated(contents, { color: colorOf(contents.colorId, contents.color) }),
      masters: masters && mapped(masters, styledPage),
      pages: mapped(pages, styledPage),
    },
  );
  const isSame =
    next.styles === styles &&
    next.cover === cover &&
    next.contents === contents &&
    next.masters === masters &&
    next.pages === pages;
  return isSame ? document : { ...document, ...next };
}
