import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dragged } from '@/components/editor/geometry/drag';
import { equalGaps, gapSnap } from '@/components/editor/geometry/gaps';
import type { Box } from '@/lib/document/bounds';
import { pageElement } from '@/lib/document/page-model';

const box = (left: number, top: number, width = 20, height = 10): Box => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});
const shifted = (by: number, { left, right, ...rest }: Box): Box => ({
  ...rest,
  left: left + by,
  right: right + by,
});
const turned = ({ left, top, right, bottom }: Box): Box => ({
  left: top,
  top: left,
  right: bottom,
  bottom: right,
});
const mirrored = ({ left, right, ...rest }: Box): Box => ({ ...rest, left: -right, right: -left });

describe('equal gaps', () => {
  test('a box snaps to the middle between its neighbors, and both gaps are shown', () => {
    const others = [box(0, 0), box(100, 2)];
    expect(gapSnap(box(51, 1), others, 'x', 2)).toBeCloseTo(-1);
    expect(equalGaps(box(50, 1), others, 'x')).toEqual([
      { axis: 'x', from: 20, to: 50, across: 5.5 },
      { axis: 'x', from: 70, to: 100, across: 6.5 },
    ]);
  });

  test('a box on either side of two others in its row snaps to a gap equal to theirs', () => {
    const others = [box(0, 0), box(30, 0)];
    expect(gapSnap(box(61.5, 0), others, 'x', 2)).toBeCloseTo(-1.5);
    expect(gapSnap(box(-31, 0), others, 'x', 2)).toBeCloseTo(1);
    expect(equalGaps(box(60, 0), others, 'x').map(({ from, to }) => [from, to])).toEqual([
      [50, 60],
      [20, 30],
    ]);
  });

  test('boxes of another row and a background below the box do not count', () => {
    expect(gapSnap(box(51, 1), [box(0, 40), box(100, 40)], 'x', 2)).toBeNull();
    const background = box(-10, -10, 300, 100);
    expect(gapSnap(box(51, 1), [box(0, 0), box(100, 2), background], 'x', 2)).toBeCloseTo(-1);
  });

  test('two neighbors without space for equal gaps do not attract a box', () => {
    expect(gapSnap(box(21, 0), [box(0, 0), box(40, 0)], 'x', 2)).toBeNull();
    expect(equalGaps(box(20, 0), [box(0, 0), box(40, 0)], 'x')).toEqual([]);
  });

  const place = fc.double({ min: -200, max: 200, noNaN: true });
  const side = fc.double({ min: 5, max: 60, noNaN: true });
  const someBox = fc.tuple(place, fc.double({ min: -4, max: 4, noNaN: true }), side, side);
  const some = fc.tuple(someBox, fc.array(someBox, { minLength: 2, maxLength: 6 })).map(([one, others]) => ({
    moved: box(...one),
    others: others.map((other) => box(...other)),
  }));

  test('a snapped box stays where it is, and is never moved beyond the threshold', () => {
    fc.assert(
      fc.property(some, ({ moved, others }) => {
        const by = gapSnap(moved, others, 'x', 3);
        if (by === null) return;
        expect(Math.abs(by)).toBeLessThanOrEqual(3);
        expect(gapSnap(shifted(by, moved), others, 'x', 0.001) ?? 0).toBeCloseTo(0);
      }),
    );
  });

  test('every gap that is shown has an equal one', () => {
    fc.assert(
      fc.property(some, ({ moved, others }) => {
        const by = gapSnap(moved, others, 'x', 3) ?? 0;
        const sizes = equalGaps(shifted(by, moved), others, 'x').map(({ from, to }) => to - from);
        for (const [index, size] of sizes.entries())
          expect(sizes.some((other, at) => at !== index && Math.abs(other - size) < 0.01)).toBe(true);
      }),
    );
  });

  test('boxes snap alike in rows and columns, and in both directions', () => {
    fc.assert(
      fc.property(some, ({ moved, others }) => {
        const by = gapSnap(moved, others, 'x', 3);
        expect(gapSnap(turned(moved), others.map(turned), 'y', 3)).toBe(by);
        const back = gapSnap(mirrored(moved), others.map(mirrored), 'x', 3);
        expect(back === null).toBe(by === null);
        expect(Math.abs(back ?? 0)).toBeCloseTo(Math.abs(by ?? 0), 6);
      }),
    );
  });
});

test('a dragged element snaps to an equal gap if the gap is nearer than a line', () => {
  const element = pageElement.parse({ id: 'a', type: 'shape', kind: 'rect', x: 51, y: 33, w: 20, h: 10 });
  const others = [box(3, 30), box(103, 32)];
  const snapping = { lines: { x: [55], y: [] }, boxes: others, threshold: 5 };
  const drag = { kind: 'move' as const, from: { x: 0, y: 0 }, elements: [element] };
  const keys = { shift: false, alt: false };
  const { frames, marks, gaps } = dragged(drag, { x: 1, y: 0 }, keys, snapping);
  expect(frames.a?.x).toBeCloseTo(53);
  expect([marks, gaps.length]).toEqual([[], 2]);
  const onLine = dragged(drag, { x: 3, y: 0 }, keys, { ...snapping, lines: { x: [54.5], y: [] } });
  expect(onLine.frames.a?.x).toBeCloseTo(54.5);
  expect(dragged(drag, { x: 1, y: 0 }, keys, null).gaps).toEqual([]);
});
