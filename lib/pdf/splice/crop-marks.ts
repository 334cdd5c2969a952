import type { ChunkObject } from './chunk-pdf';
import type { PageBoxes } from './page-boxes';
import { pdfNumber } from './pdf-values';

/** The width of a mark in points. */
const LINE = 0.25;

/** A color that prints on every plate of a printing press (ISO 32000-1, 8.6.6.4). */
const REGISTRATION = '[/Separation /All /DeviceGray <</FunctionType 2 /Domain [0 1] /C0 [1] /C1 [0] /N 1>>]';

/** Returns the content that draws two crop marks at each corner of a page, as artifacts that screen readers ignore. */
function drawMarks({ width, height, trim, markDistance }: PageBoxes): string {
  const end = trim - markDistance;
  const line = (...ends: number[]) => {
    const [fromX = 0, fromY = 0, toX = 0, toY = 0] = ends.map(pdfNumber);
    return `${fromX} ${fromY} m ${toX} ${toY} l S`;
  };
  const columns = [trim, width - trim];
  const rows = [trim, height - trim];
  const lines = [
    ...columns.flatMap((x) => [line(x, 0, x, end), line(x, height - end, x, height)]),
    ...rows.flatMap((y) => [line(0, y, end, y), line(width - end, y, width, y)]),
  ];
  return `/Artifact BMC\nq\n/Registration CS 1 SCN ${LINE} w\n${lines.join('\n')}\nQ\nEMC\n`;
}

/** Crop marks for the pages of a part. */
export type CropMarks = {
  /** The content that draws the marks, in the default user space of a page. */
  content: string;
  /** The color of the marks: its object number and the object itself. */
  color: [number, ChunkObject];
  /** Adds the color to the resources of a page. */
  addColor: (page: string) => string;
};

/** Returns the crop marks for pages with these boxes; `color` is a free object number. */
export function cropMarks(boxes: PageBoxes, color: number): CropMarks {
  return {
    content: drawMarks(boxes),
    color: [color, { text: `${color} 0 obj\n${REGISTRATION}\nendobj\n`, stream: null }],
    addColor: (page) =>
      page.replace('/Resources <<', `/Resources <</ColorSpace <</Registration ${color} 0 R>>\n`),
  };
}
