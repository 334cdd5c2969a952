import { FOOTER_HEIGHT } from '../footer';
import { marginsOf } from '../margins';
import { type SheetSize, sheetSize } from '../sheets';
import type { Paper } from './template';

/** A rectangle on the page, in millimeters. */
export type Area = { x: number; y: number; w: number; h: number };

/** The gap between two frames in millimeters. */
export const GAP_MM = 5;

/** Returns the part of a page within its margins and above its footer. `margin` is the document's margin setting. */
export function contentArea(size: SheetSize, margin: number | null): Area {
  const { page } = marginsOf(margin, size);
  const foot = Math.max(page + 2, FOOTER_HEIGHT);
  return { x: page, y: page, w: size.width - 2 * page, h: size.height - page - foot };
}

/** Returns the part of a page that templates fill. */
export const typeArea = (paper: Paper): Area => contentArea(sheetSize(paper), paper.margin);

/** Splits an area into its upper part, `h` high, and the rest below the gap. */
export function cutTop(area: Area, h: number, gap = GAP_MM): [top: Area, rest: Area] {
  return [
    { ...area, h },
    { ...area, y: area.y + h + gap, h: area.h - h - gap },
  ];
}

/** Splits an area into its left part, `w` wide, and the rest to the right of the gap. */
export function cutLeft(area: Area, w: number, gap = GAP_MM): [left: Area, rest: Area] {
  return [
    { ...area, w },
    { ...area, x: area.x + w + gap, w: area.w - w - gap },
  ];
}

const round = (value: number) => Math.round(value * 100) / 100;

/**
 * Returns `count` cells of equal size, in rows that fill the area. The ratio of a cell's width to its height is close
 * to `aspect`. Returns no cells if the gaps leave no room for them.
 */
export function cells(area: Area, count: number, aspect: number): Area[] {
  const shapes = Array.from({ length: count }, (_, index) => {
    const columns = index + 1;
    const rows = Math.ceil(count / columns);
    const w = (area.w - (columns - 1) * GAP_MM) / columns;
    const h = (area.h - (rows - 1) * GAP_MM) / rows;
    const empty = rows * columns - count;
    return { columns, w, h, badness: Math.abs(Math.log(w / h / aspect)) + 0.15 * empty };
  });
  const [best] = shapes.filter(({ w, h }) => w > 0 && h > 0).sort((a, b) => a.badness - b.badness);
  if (!best) return [];
  return Array.from({ length: count }, (_, index) => ({
    x: round(area.x + (index % best.columns) * (best.w + GAP_MM)),
    y: round(area.y + Math.floor(index / best.columns) * (best.h + GAP_MM)),
    // Round down, so that no frame extends beyond its area.
    w: Math.floor(best.w * 100) / 100,
    h: Math.floor(best.h * 100) / 100,
  }));
}
