import { decodePDFRawStream, PDFName, type PDFPage, PDFRawStream } from '@cantoo/pdf-lib';

/** Returns the decoded content of a page that has a single content stream. */
export function contentOf(page: PDFPage): string {
  const stream = page.node.lookup(PDFName.of('Contents'));
  if (!(stream instanceof PDFRawStream)) throw new Error('The page has no single content stream.');
  return Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1');
}

/** A rectangle in points: left, bottom, right and top. */
type Box = [number, number, number, number];
type State = { matrix: number[]; clip: Box; color: string };

const EVERYWHERE: Box = [-1e6, -1e6, 1e6, 1e6];

function overlap(a: Box, b: Box): Box {
  return [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
}

type Painted = { areas: { color: string; box: Box }[]; images: number[][] };

function paint(content: string): Painted {
  const painted: Painted = { areas: [], images: [] };
  let state: State = { matrix: [1, 0, 0, 1, 0, 0], clip: EVERYWHERE, color: '' };
  const saved: State[] = [];
  let path = EVERYWHERE;
  for (const line of content.split('\n')) {
    const operator = line.trim().split(' ').at(-1);
    const numbers = line.trim().split(' ').map(Number);
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbers;
    const [ma = 1, mb = 0, mc = 0, md = 1, me = 0, mf = 0] = state.matrix;
    if (operator === 'q') saved.push(state);
    if (operator === 'Q') state = saved.pop() ?? state;
    if (operator === 'cm') {
      const matrix = [
        a * ma + b * mc,
        a * mb + b * md,
        c * ma + d * mc,
        c * mb + d * md,
        e * ma + f * mc + me,
        e * mb + f * md + mf,
      ];
      state = { ...state, matrix };
    }
    if (operator === 're') {
      const [x1, x2] = [a * ma + me, (a + c) * ma + me].sort((one, other) => one - other);
      const [y1, y2] = [b * md + mf, (b + d) * md + mf].sort((one, other) => one - other);
      path = [x1 ?? 0, y1 ?? 0, x2 ?? 0, y2 ?? 0];
    }
    if (operator === 'Do') painted.images.push(state.matrix);
    if (operator === 'rg') state = { ...state, color: numbers.slice(-4, -1).join(' ') };
    if (/^W\*?( n)?$/.test(line.trim())) state = { ...state, clip: overlap(state.clip, path) };
    if (operator === 'f' || operator === 'f*')
      painted.areas.push({ color: state.color, box: overlap(state.clip, path) });
  }
  return painted;
}

/** Returns the operators that set gray and RGB fill colors on a page, including text colors. */
export function fillColors(content: string): Set<string> {
  const found = content.matchAll(/(?:^|\s)((?:[\d.]+ ){1,3}(?:rg|g))$/gm);
  return new Set([...found].map(([, color = '']) => color));
}

/** Returns the rectangles that a page fills, each with its RGB color and its clipped box in points. */
export function filledAreas(content: string): { color: string; box: Box }[] {
  return paint(content).areas;
}

/** Returns, in painting order, the lower left corner and the size of each image on a page. All values are in points. */
export function imagesPlaced(content: string): { x: number; y: number; width: number; height: number }[] {
  return paint(content).images.map(([a = 0, , , d = 0, e = 0, f = 0]) => ({
    x: e,
    y: Math.min(f, f + d),
    width: Math.abs(a),
    height: Math.abs(d),
  }));
}
