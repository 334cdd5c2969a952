import { type PageInput, pageData } from '../page-model';
import { templateStyles } from '../styles/named-styles';
import { type Area, GAP_MM } from './areas';
import { asLine, cutHeading, imagePart, MM_PER_POINT, textOfFixedSize, textPart } from './parts';
import type { ScheduleRow, Template, TemplateImage } from './template';

type TableInput = Extract<NonNullable<PageInput['elements']>[number], { type: 'table' }>;

const CAPTION_H = 5.5;
const CAPTION_GAP = 0.2;
const CAPTION_SIZE = 8;
/** Maximum number of images: the original, and one for each of at most eight swapped materials. */
const MAX_IMAGES = 9;
/** Maximum number of rows in the schedule, which equals the maximum number of materials in a prompt. */
const MAX_ROWS = 32;
/** Maximum height of the schedule, as a fraction of the height of the area below the heading. */
const MAX_PART = 0.6;
/** The height of a material's picture in millimeters. */
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
/** Maximum number of lines per cell. It applies only if the full text does not fit at the smallest font size. */
const MAX_LINES = 2;
/** The line height of tables in ems, as in the document style sheet. */
const LINE = 1.3;
/** The total padding of a cell in millimeters, as in the document style sheet. */
const PADDING = { across: 3.2, down: 2.4 };
/** The average width of a letter, and the width of an ideograph or an emoji, in ems. */
const [LETTER, WIDE] = [0.55, 1.1];

/** Estimates the width of the text in ems. */
function widthOf(text: string): number {
  return [...text].reduce((sum, letter) => sum + (letter > '\u2e7f' ? WIDE : LETTER), 0);
}

/** Shortens the text to a width of at most `ems`. */
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

/** Makes the table with this font size and at most `maxLines` lines per cell. The table is as tall as its rows need. */
function tableOf(rows: ScheduleRow[], area: Area, fontSize: number, maxLines: number): TableInput {
  const em = fontSize * MM_PER_POINT;
  const texts = rows.map(({ name, maker, license, size, reference }) =>
    [name, maker, license, size, reference].map((text, column) => {
      const room = ((columns[column]?.width ?? 0) / totalWidth) * area.w - PADDING.across;
      // Lines break between words, so part of each line stays empty.
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

/**
 * Makes the table at the largest font size at which it takes up at most half of the area's height. If the table is too
 * tall at every font size, makes it at the smallest size and shortens each cell to at most `MAX_LINES` lines.
 */
function scheduleIn(rows: ScheduleRow[], area: Area): TableInput {
  for (const fontSize of TABLE_SIZES) {
    const table = tableOf(rows, area, fontSize, Number.POSITIVE_INFINITY);
    if (table.h <= area.h / 2) return table;
  }
  return tableOf(rows, area, TABLE_SIZES.at(-1) ?? 5, MAX_LINES);
}

/** Limits the height of a schedule. A taller schedule continues on the next pages. */
function onPages(table: TableInput, area: Area, flowId: string): TableInput {
  const most = round(area.h * MAX_PART);
  return table.h <= most ? table : { ...table, h: Math.max(most, 1), flowId, breaks: [] };
}

const round = (value: number) => Math.floor(value * 100) / 100;

/**
 * Returns one cell per image, with room for its caption, in rows from the top of the area. Chooses the number of
 * columns that makes the images largest.
 */
function gridOf(area: Area, images: TemplateImage[]): Area[] {
  const count = images.length;
  const aspect = images.reduce((sum, { width, height }) => sum + width / height, 0) / count;
  const shapes = Array.from({ length: count }, (_, index) => {
    const columns = index + 1;
    const rows = Math.ceil(count / columns);
    // Keep cells at least 1 mm wide and high, because on tiny paper the gaps can take up all of the area.
    const w = Math.max(1, (area.w - (columns - 1) * GAP_MM) / columns);
    const most = Math.max(1, (area.h - (rows - 1) * GAP_MM) / rows);
    // A cell needs at most the height of its caption and of an image that is as wide as the cell and has the average
    // aspect ratio.
    const h = Math.min(most, w / aspect + CAPTION_GAP + CAPTION_H);
    return { columns, w: round(w), h: round(h) };
  });
  const sizeOf = ({ w, h }: { w: number; h: number }) => Math.min(w, (h - CAPTION_GAP - CAPTION_H) * aspect);
  const [best] = shapes.toSorted((a, b) => sizeOf(b) - sizeOf(a));
  if (!best) return [];
  return images.map((_, index) => ({
    x: round(area.x + (index % best.columns) * (best.w + GAP_MM)),
    y: round(area.y + Math.floor(index / best.columns) * (best.h + GAP_MM)),
    w: best.w,
    h: best.h,
  }));
}

/** Makes an uncropped image at the top of a cell, centered horizontally, with its caption below. */
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

/**
 * The template for a page that shows images with captions, such as the images of a material swap, and a schedule of the
 * materials in the images.
 */
export const swapTemplate: Template = {
  id: 'swap',
  name: 'Material swap',
  description: 'Up to nine images with captions, and a table of their materials.',
  room: { images: MAX_IMAGES, materials: 0 },
  make: (paper, content, pageId) => {
    const title = asLine(content.title, 120) || 'Materials';
    const { heading, rest } = cutHeading(paper, title);
    const images = content.images.slice(0, MAX_IMAGES);
    const rows = (content.schedule ?? []).slice(0, MAX_ROWS);
    const table = rows.length > 0 ? onPages(scheduleIn(rows, rest), rest, pageId) : null;
    const areas = gridOf({ ...rest, h: rest.h - (table ? table.h + GAP_MM : 0) }, images);
    const gridEnd = Math.max(rest.y, ...areas.map(({ y, h }) => y + h));
    return pageData.parse({
      id: pageId,
      title,
      elements: [
        heading,
        ...areas.flatMap((cell, index) => {
          const image = images[index];
          return image ? captioned(`image-${index + 1}`, cell, image) : [];
        }),
        ...(table ? [{ ...table, y: round(gridEnd + GAP_MM) }] : []),
      ],
    });
  },
};
