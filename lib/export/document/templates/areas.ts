import { sheetSize } from '../sheets';
import type { Paper } from './template';

/** A rectangle on the page, in millimetres. */
export type Area = { x: number; y: number; w: number; h: number };

const MARGIN = 18;
// Below it the footer has its title and number.
const FOOT = 20;
/** Between two frames. */
export const GAP = 5;

/** The part of a page that a template fills. */
export function typeArea(paper: Paper): Area {
  const { width, height } = sheetSize(paper);
  return { x: MARGIN, y: MARGIN, w: width - 2 * MARGIN, h: height - MARGIN - FOOT };
}

/** The upper part of an area, `h` high, and what is left below it. */
export function cutTop(area: Area, h: number, gap = GAP): [top: Area, rest: Area] {
  return [
    { ...area, h },
    { ...area, y: area.y + h + gap, h: area.h - h - gap },
  ];
}

/** The left part of an area, `w` wide, and what is left beside it. */
export function cutLeft(area: Area, w: number, gap = GAP): [left: Area, rest: Area] {
  return [
    { ...area, w },
    { ...area, x: area.x + w + gap, w: area.w - w - gap },
  ];
}

const round = (value: number) => Math.round(value * 100) / 100;

/** `count` equal cells in rows that fill the area, as near to `aspect` (width by height) as rows and columns allow. */
export function cells(area: Area, count: number, aspect: number): Area[] {
  const shapes = Array.from({ length: count }, (_, index) => {
    const columns = index + 1;
    const rows = Math.ceil(count / columns);
    const w = (area.w - (columns - 1) * GAP) / columns;
    const h = (area.h - (rows - 1) * GAP) / rows;
    const empty = rows * columns - count;
    return { columns, w, h, badness: Math.abs(Math.log(w / h / aspect)) + 0.15 * empty };
  });
  const [best] = shapes.filter(({ w, h }) => w > 0 && h > 0).sort((a, b) => a.badness - b.badness);
  if (!best) return [];
  return Array.from({ length: count }, (_, index) => ({
    x: round(area.x + (index % best.columns) * (best.w + GAP)),
    y: round(area.y + Math.floor(index / best.columns) * (best.h + GAP)),
    // Down, so that no frame reaches beyond its area.
    w: Math.floor(best.w * 100) / 100,
    h: Math.floor(best.h * 100) / 100,
  }));
}
