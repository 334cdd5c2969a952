import {
  type CoverSettings,
  type PageData,
  type PageElement,
  styleField,
  type TextBlock,
  type TextElement,
  type TextRun,
} from '../page-model';
import { withoutUndefined } from '../without-undefined';
import type { NamedColor, ParagraphStyle, StyleField } from './named-styles';

/** The styles and colors of a document. */
export type Styles = { styles: readonly ParagraphStyle[]; colors: readonly NamedColor[] };
/** An element with text, which can have a paragraph style. */
export type StyledElement = Extract<PageElement, { type: 'text' | 'material' | 'table' }>;

/** Returns whether an element can have a paragraph style. */
export const isStyled = (element: PageElement): element is StyledElement =>
  element.type === 'text' || element.type === 'material' || element.type === 'table';

type StyledDocument = {
  styles: ParagraphStyle[];
  colors: NamedColor[];
  cover: CoverSettings;
  masters: PageData[];
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

/** Returns the changed items, or the list itself if none changes. */
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
  // False and 0 are the same as no value.
  const optional = { bold: bold || undefined, tracking: tracking || undefined };
  return { ...tableValues(style), lineHeight, align, ...optional };
};

/** Returns the values of an element that a style can have. Those that the element leaves out are undefined. */
export function styleValues(element: StyledElement): Partial<StyleValues> {
  return element.type === 'text' ? textValues(element) : tableValues(element);
}

const fieldOf = (key: string) => (key === 'colorId' ? 'color' : key);

/** Returns the values without those of overridden fields. */
function notOverridden<Values extends object>(
  values: Values,
  overrides: readonly StyleField[],
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
  fields: StyleField[],
): Element {
  if (fields.join() === (element.overrides ?? []).join()) return element;
  return withoutUndefined({ ...element, overrides: fields.length > 0 ? fields : undefined });
}

/** Returns the fields whose value in an element differs from that in its style. */
function differingFields(element: StyledElement, style: ParagraphStyle): StyleField[] {
  const keys =
    element.type === 'text'
      ? differing(textValues(style), textValues(element))
      : differing(tableValues(style), tableValues(element));
  return styleField.options.filter((field) => keys.includes(field));
}

/** Returns an element whose overrides are the fields that differ from its style, if the style exists. */
export function withOwnOverrides(element: PageElement, styles: readonly ParagraphStyle[]): PageElement {
  if (!isStyled(element)) return element;
  const style = styles.find(({ id }) => id === element.styleId);
  return style ? withOverridden(element, differingFields(element, style)) : element;
}

/** Returns an element after a change of the fields `changed`, which override those of its style. */
export function withOverrides(
  element: PageElement,
  changed: readonly string[],
  styles: readonly ParagraphStyle[],
): PageElement {
  if (!isStyled(element) || element.styleId === undefined) return element;
  if (styles.some(({ id }) => id === element.styleId)) return withOwnOverrides(element, styles);
  // The style may be restored, so keep track of the values that were set in the meantime.
  const keys = changed.map(fieldOf);
  const fields = styleField.options.filter(
    (field) => keys.includes(field) || element.overrides?.includes(field),
  );
  return withOverridden(element, fields);
}

const runsColored = (runs: TextRun[], colorOf: ColorOf) =>
  mapped(runs, (run) => (run.colorId ? updated(run, { color: colorOf(run.colorId, run.color) }) : run));

function blockColored(block: TextBlock, colorOf: ColorOf): TextBlock {
  return block.type === 'list'
    ? updated(block, { items: mapped(block.items, (runs) => runsColored(runs, colorOf)) })
    : updated<TextBlock>(block, { runs: runsColored(block.runs, colorOf) });
}

function colored(element: PageElement, colorOf: ColorOf): PageElement {
  switch (element.type) {
    case 'text':
      return updated(element, {
        color: colorOf(element.colorId, element.color),
        fill: colorOf(element.fillId, element.fill),
        blocks: mapped(element.blocks, (block) => blockColored(block, colorOf)),
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

/** Returns a function that gives pages the values of the styles and colors that they refer to. */
export function pageStyler({ styles, colors }: Styles): (page: PageData) => PageData {
  if (styles.length === 0 && colors.length === 0) return (page) => page;
  const colorOf = colorsOf(colors);
  const byId = new Map(styles.map((style) => [style.id, style]));
  const elementStyled = (element: PageElement) => {
    const style = isStyled(element) && element.styleId ? byId.get(element.styleId) : undefined;
    if (!style || !isStyled(element)) return colored(element, colorOf);
    return withOwnOverrides(colored(restyled(element, style), colorOf), styles);
  };
  return (page) =>
    updated(page, {
      background: colorOf(page.backgroundId, page.background),
      elements: mapped(page.elements, elementStyled),
    });
}

/**
 * Returns the document with the values of its styles and colors in everything that refers to them, or the document
 * itself if it has them already. Pages and masters of `before` are skipped if they are the same objects and the styles
 * and colors have not changed since.
 */
export function withStyles<Document extends StyledDocument>(
  document: Document,
  before?: StyledDocument,
): Document {
  const { styles, colors, cover } = document;
  if (styles.length === 0 && colors.length === 0) return document;
  const isSteady = before?.styles === styles && before.colors === colors;
  const unchanged = new Set(isSteady ? [...before.masters, ...before.pages] : []);
  const colorOf = colorsOf(colors);
  const own = {
    colors,
    styles: mapped(styles, (style) => updated(style, { color: colorOf(style.colorId, style.color) })),
  };
  const stylePage = pageStyler(own);
  const styledPage = (page: PageData) => (unchanged.has(page) ? page : stylePage(page));
  const next = updated<StyledDocument>(
    { styles, colors, cover, masters: document.masters, pages: document.pages },
    {
      styles: own.styles,
      cover: updated(cover, {
        background: colorOf(cover.backgroundId, cover.background),
        color: colorOf(cover.colorId, cover.color),
      }),
      masters: mapped(document.masters, styledPage),
      pages: mapped(document.pages, styledPage),
    },
  );
  const isSame =
    next.styles === styles &&
    next.cover === cover &&
    next.masters === document.masters &&
    next.pages === document.pages;
  return isSame ? document : { ...document, ...next };
}
