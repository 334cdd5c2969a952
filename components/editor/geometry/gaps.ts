import type { Box } from '@/lib/document/bounds';

type Axis = 'x' | 'y';
/** A gap along an axis from one box to the next, in millimeters. It is drawn at `across` on the other axis. */
export type GapMark = { axis: Axis; from: number; to: number; across: number };

/** The extents of a box along an axis (`start` to `end`) and across it (`low` to `high`). */
type Span = { start: number; end: number; low: number; high: number };
type Gap = { before: Span; after: Span; size: number };

/** Gaps that differ by less than this, in millimeters, count as equal. The difference is not visible. */
const EQUAL_GAP_MM = 0.005;
/** Minimum size of a gap in millimeters. */
const MIN_GAP = 0.1;

const spanOf = ({ left, top, right, bottom }: Box, axis: Axis): Span =>
  axis === 'x'
    ? { start: left, end: right, low: top, high: bottom }
    : { start: top, end: bottom, low: left, high: right };

/**
 * Returns the spans of the boxes in the same row or column as `span`. Leaves out boxes that overlap `span` along the
 * axis by more than `tolerance`, such as a background.
 */
function rowOf(span: Span, boxes: readonly Box[], axis: Axis, tolerance: number): Span[] {
  return boxes
    .map((box) => spanOf(box, axis))
    .filter(({ low, high }) => low < span.high && high > span.low)
    .filter(({ start, end }) => end <= span.start + tolerance || start >= span.end - tolerance);
}

/** Returns the span for which `positionOf` is smallest, or undefined if `spans` is empty. */
function least(spans: readonly Span[], positionOf: (span: Span) => number): Span | undefined {
  return spans.reduce<Span | undefined>(
    (best, span) => (best && positionOf(best) <= positionOf(span) ? best : span),
    undefined,
  );
}

/** Returns the nearest spans of a row before and after a span. */
function neighborsOf(span: Span, row: readonly Span[], tolerance: number) {
  const before = row.filter(({ end }) => end <= span.start + tolerance);
  const after = row.filter(({ start }) => start >= span.end - tolerance);
  return { before: least(before, ({ end }) => -end), after: least(after, ({ start }) => start) };
}

/** Returns the gaps between adjacent spans of a row. */
function gapsIn(row: readonly Span[]): Gap[] {
  return row.flatMap((before) => {
    const { after } = neighborsOf(before, row, 0);
    if (!after || neighborsOf(after, row, 0).before?.end !== before.end) return [];
    const size = after.start - before.end;
    return size >= MIN_GAP ? [{ before, after, size }] : [];
  });
}

/**
 * Returns how far to move a box along an axis so that its gap on one side equals its gap on the other side, or a gap
 * between two other boxes in its row or column. Returns null if no such position is within the threshold.
 */
export function gapSnap(box: Box, others: readonly Box[], axis: Axis, threshold: number): number | null {
  const span = spanOf(box, axis);
  const row = rowOf(span, others, axis, threshold);
  const { before, after } = neighborsOf(span, row, threshold);
  const length = span.end - span.start;
  const sizes = gapsIn(row).map(({ size }) => size);
  const between = before && after ? (after.start - before.end - length) / 2 : 0;
  const starts = [
    ...(before && between >= MIN_GAP ? [before.end + between] : []),
    ...(before ? sizes.map((size) => before.end + size) : []),
    ...(after ? sizes.map((size) => after.start - size - length) : []),
  ];
  const offsets = starts.map((start) => start - span.start).sort((a, b) => Math.abs(a) - Math.abs(b));
  const [nearest] = offsets;
  return nearest !== undefined && Math.abs(nearest) <= threshold ? nearest : null;
}

function markOf({ before, after }: Gap, axis: Axis): GapMark {
  const [low, high] = [Math.max(before.low, after.low), Math.min(before.high, after.high)];
  return { axis, from: before.end, to: after.start, across: (low + high) / 2 };
}

/** Returns the gaps next to a box that equal another gap in the box's row or column, together with those other gaps. */
export function equalGaps(box: Box, others: readonly Box[], axis: Axis): GapMark[] {
  const span = spanOf(box, axis);
  const row = rowOf(span, others, axis, EQUAL_GAP_MM);
  const { before, after } = neighborsOf(span, row, EQUAL_GAP_MM);
  const own: Gap[] = [
    ...(before ? [{ before, after: span, size: span.start - before.end }] : []),
    ...(after ? [{ before: span, after, size: after.start - span.end }] : []),
  ].filter(({ size }) => size >= MIN_GAP);
  // Leave out the space between the two neighbors, because the box is in it.
  const rest = gapsIn(row).filter((gap) => gap.before !== before || gap.after !== after);
  const gaps = [...own, ...rest];
  const isSame = (a: Gap, b: Gap) => Math.abs(a.size - b.size) < EQUAL_GAP_MM;
  const isShown = (gap: Gap) =>
    own.some((one) => isSame(one, gap)) && gaps.some((other) => other !== gap && isSame(other, gap));
  return gaps.filter(isShown).map((gap) => markOf(gap, axis));
}
