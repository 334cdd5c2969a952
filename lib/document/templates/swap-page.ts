import { type PageInput, pageData } from '../page-model';
import { templateStyles } from '../styles/named-styles';
import { type Area, cutTop, GAP, typeArea } from './areas';
import { asLine, imagePart, MM_PER_POINT, textOfFixedSize, textPart } from './parts';
import type { ScheduleRow, Template, TemplateImage } from './template';

type TableInput = Extract<NonNullable<PageInput['elements']>[number], { type: 'table' }>;

const HEADING_H = 12;
const CAPTION_H = 5.5;
const CAPTION_GAP = 0.2;
const CAPTION_SIZE = 8;
/** The image to start from, and one for each material. */
const MAX_IMAGES = 9;
/** As many as a prompt can have. */
const MAX_ROWS = 32;
/** The maximum fraction of a page for the schedule. A longer schedule continues on the next pages. */
const MAX_PART = 0.6;
/** The height of the picture of a material in millimeters. */
const PICTURE_H = 12;

const columns = [
  { label: 'Material', width: 3 },
  { label: 'Maker', width: 2.5 },
  { label: 'License', width: 1.5 },
  { label: 'Size', width: 2 },
  { label: 'Reference', width: 4 },
];
const totalWidth = columns.reduce((sum, { width }) => sum + width, 0);

const TABLE_SIZES = [8, 7, 6, 5];
/** The lines per cell at the smallest size, if the rows do not fit without cutting them. */
const MAX_LINES = 2;
/** As in the style sheet of documents: the line height of tables, and the padding of a cell in millimeters. */
const LINE = 1.3;
const PADDING = { across: 3.2, down: 2.4 };
/** The average width of a letter, and the width of an ideograph or an emoji, in ems. */
const [LETTER, WIDE] = [0.55, 1.1];

/** Estimates the width of a text in ems. */
function widthOf(text: string): number {
  return [...text].reduce((sum, letter) => sum + (letter > '\u2e7f' ? WIDE : LETTER), 0);
}

/** Returns the part of a text that is at most `ems` wide. */
function cutTo(text: string, ems: number): string {
  let left = ems;
  let end = 0;
  for (const letter of text) {
    left -= widthOf(letter);
    if (left < 0) return asLine(text, Math.max(1, end));
    end += letter.length;
  }
  return text;
}

/** Makes the table at a font size, as high as its rows need with at most `maxLines` lines per cell. */
function tableOf(rows: ScheduleRow[], area: Area, fontSize: number, maxLines: number): TableInput {
  const em = fontSize * MM_PER_POINT;
  const texts = rows.map(({ name, maker, license, size, reference }) =>
    [name, maker, license, size, reference].map((text, column) => {
      const room = ((columns[column]?.width ?? 0) / totalWidth) * area.w - PADDING.across;
      // A line that breaks between words has some space left.
      const emsPerLine = (room * 0.85) / em;
      const shown = cutTo(asLine(text, 500), maxLines * emsPerLine);
      return { text: shown, lines: Math.max(1, Math.ceil(widthOf(shown) / emsPerLine)) };
    }),
  );
  const heights = texts.map((cells, index) => {
    const [name, ...facts] = cells.map(({ lines }) => lines * em * LINE);
    const picture = rows[index]?.imageId === undefined ? 0 : PICTURE_H;
    return Math.max(picture + (name ?? 0), ...facts) + PADDING.down;
  });
  const header = em * LINE + PADDING.down;
  return {
    id: 'schedule',
    type: 'table',
    ...area,
    h: Math.ceil(heights.reduce((sum, height) => sum + height, header) * 1.05),
    columns,
    rows: texts.map((cells, index) => {
      const [name = '', ...facts] = cells.map(({ text }) => text);
      const imageId = rows[index]?.imageId;
      return [imageId === undefined ? name : { text: name, imageId, height: PICTURE_H }, ...facts];
    }),
    ...textOfFixedSize,
    fontSize,
    headerFill: '#f1f2f3',
  };
}

/** Makes the table at the largest size at which it is at most half as high as the area. */
function scheduleIn(rows: ScheduleRow[], area: Area): TableInput {
  for (const fontSize of TABLE_SIZES) {
    const table = tableOf(rows, area, fontSize, Number.POSITIVE_INFINITY);
    if (table.h <= area.h / 2) return table;
  }
  return tableOf(rows, area, TABLE_SIZES.at(-1) ?? 5, MAX_LINES);
}

/** Returns a schedule that is too high for its page with a frame that fits, from which it continues on the next pages. */
function onPages(table: TableInput, area: Area, flowId: string): TableInput {
  const most = round(area.h * MAX_PART);
  return table.h <= most ? table : { ...table, h: Math.max(most, 1), flowId, breaks: [] };
}

const round = (value: number) => Math.floor(value * 100) / 100;

/**
 * Returns a cell for each image with its caption, in rows from the top of the area: as many columns as make the images
 * largest.
 */
function gridOf(area: Area, images: TemplateImage[]): Area[] {
  const count = images.length;
  const aspect = images.reduce((sum, { width, height }) => sum + width / height, 0) / count;
  const shapes = Array.from({ length: count }, (_, index) => {
    const columns = index + 1;
    const rows = Math.ceil(count / columns);
    // On tiny paper, the gaps can take up all of the area.
    const w = Math.max(1, (area.w - (columns - 1) * GAP) / columns);
    const most = Math.max(1, (area.h - (rows - 1) * GAP) / rows);
    // No higher than an image that is as wide as its cell.
    const h = Math.min(most, w / aspect + CAPTION_GAP + CAPTION_H);
    return { columns, w: round(w), h: round(h) };
  });
  const sizeOf = ({ w, h }: { w: number; h: number }) => Math.min(w, (h - CAPTION_GAP - CAPTION_H) * aspect);
  const [best] = shapes.toSorted((a, b) => sizeOf(b) - sizeOf(a));
  if (!best) return [];
  return images.map((_, index) => ({
    x: round(area.x + (index % best.columns) * (best.w + GAP)),
    y: round(area.y + Math.floor(index / best.columns) * (best.h + GAP)),
    w: best.w,
    h: best.h,
  }));
}

/** Makes an image in its own aspect ratio with its caption below, in the middle of a cell. */
function captioned(id: string, cell: Area, image: TemplateImage): NonNullable<PageInput['elements']> {
  const room = { w: cell.w, h: Math.max(1, cell.h - CAPTION_H - CAPTION_GAP) };
  const scale = Math.min(room.w / image.width, room.h / image.height);
  const [w, h] = [round(image.width * scale), round(image.height * scale)];
  const frame = { x: round(cell.x + (cell.w - w) / 2), y: cell.y, w: Math.max(w, 0.1), h: Math.max(h, 0.1) };
  const below = { x: cell.x, y: round(frame.y + frame.h + CAPTION_GAP), w: cell.w, h: CAPTION_H };
  return [
    imagePart(id, frame, image, 'contain'),
    textPart(`${id}-caption`, below, image.caption ?? '', {
      style: templateStyles.caption,
      overrides: ['fontSize', 'align'],
      fontSize: CAPTION_SIZE,
      align: 'center',
      padding: 0.5,
    }),
  ];
}

/** The template for the images of a material swap, each with its caption, and a schedule of their materials. */
export const swapTemplate: Template = {
  id: 'swap',
  name: 'Material swap',
  description: 'Up to nine images with captions, and a table of their materials.',
  room: { images: MAX_IMAGES, materials: 0 },
  make: (paper, content, pageId) => {
    const title = asLine(content.title, 120) || 'Materials';
    const [top, rest] = cutTop(typeArea(paper), HEADING_H);
    const images = content.images.slice(0, MAX_IMAGES);
    const rows = (content.schedule ?? []).slice(0, MAX_ROWS);
    const table = rows.length > 0 ? onPages(scheduleIn(rows, rest), rest, pageId) : null;
    const areas = gridOf({ ...rest, h: rest.h - (table ? table.h + GAP : 0) }, images);
    const gridEnd = Math.max(rest.y, ...areas.map(({ y, h }) => y + h));
    return pageData.parse({
      id: pageId,
      title,
      elements: [
        textPart('heading', top, title, { heading: true, fontSize: 12.5 }),
        ...areas.flatMap((cell, index) => {
          const image = images[index];
          return image ? captioned(`image-${index + 1}`, cell, image) : [];
        }),
        ...(table ? [{ ...table, y: round(gridEnd + GAP) }] : []),
      ],
    });
  },
};
