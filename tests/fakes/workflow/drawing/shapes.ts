/**
 * Formats a number for SVG with at most one decimal place, which is precise enough for pixels and keeps the file small.
 */
const n = (value: number) => String(Math.round(value * 10) / 10);

/** Returns a rectangle; `more` holds additional attributes. */
export function rect(x: number, y: number, w: number, h: number, fill: string, more = ''): string {
  return `<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" fill="${fill}" ${more}/>`;
}

/** Returns a polygon through points given as x, y, x, y, … */
export function polygon(points: number[], fill: string, more = ''): string {
  return `<polygon points="${points.map(n).join(' ')}" fill="${fill}" ${more}/>`;
}

export function ellipse(x: number, y: number, rx: number, ry: number, fill: string, more = ''): string {
  return `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(rx)}" ry="${n(ry)}" fill="${fill}" ${more}/>`;
}

export function line(x1: number, y1: number, x2: number, y2: number, stroke: string, width: number): string {
  return `<path d="M${n(x1)} ${n(y1)}L${n(x2)} ${n(y2)}" stroke="${stroke}" stroke-width="${n(width)}"/>`;
}

/** Returns a complete SVG document of the given size in pixels. */
export function svgDocument(width: number, height: number, content: string): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`,
  );
}
