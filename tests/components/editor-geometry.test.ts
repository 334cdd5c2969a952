import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aligned, distributed } from '@/components/editor/geometry/align';
import { dragged } from '@/components/editor/geometry/drag';
import { boundedFrame, heightened, rotateVector, turned } from '@/components/editor/geometry/frames';
import { type Handle, handles, MIN_DRAGGED, resized, resizedAll } from '@/components/editor/geometry/resize';
import { ROTATION_STEP, rotatedBy } from '@/components/editor/geometry/rotate';
import { edgesOf, snapEdges, snapLines } from '@/components/editor/geometry/snap';
import {
  fittingZoom,
  MAX_ZOOM,
  MIN_ZOOM,
  PX_PER_MM,
  scaledZoom,
  steppedZoom,
} from '@/components/editor/geometry/zoom';
import { boundsOf, type Frame, middleOf, type Point } from '@/lib/document/bounds';
import { type PageElement, pageElement } from '@/lib/document/page-model';
import { inReadingOrder } from '@/lib/document/reading-order';

const A4 = { width: 210, height: 297 };
const frame = (x: number, y: number, w: number, h: number, rotation = 0): Frame => ({ x, y, w, h, rotation });
const length = (min: number, max: number) => fc.double({ min, max, noNaN: true, noDefaultInfinity: true });
const someFrame = fc.record({
  x: length(-500, 500),
  y: length(-500, 500),
  w: length(2, 400),
  h: length(2, 400),
  rotation: length(-180, 180),
});
const someVector = fc.record({ x: length(-300, 300), y: length(-300, 300) });
const someHandle = fc.constantFrom(...(Object.keys(handles) as Handle[]));

/**
 * Returns a point of a frame in page coordinates. `part` is the position of the point in the unrotated frame: `part.x`
 * goes from -1 at the left edge to 1 at the right edge, and `part.y` from -1 at the top edge to 1 at the bottom edge.
 */
function pointOf(of: Frame, part: Point): Point {
  const middle = middleOf(of);
  const arm = rotateVector({ x: (part.x * of.w) / 2, y: (part.y * of.h) / 2 }, of.rotation);
  return { x: middle.x + arm.x, y: middle.y + arm.y };
}
const near = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y) < 1e-6;

describe('frames', () => {
  test('the bounds of a rotated frame enclose its corners exactly', () => {
    fc.assert(
      fc.property(someFrame, (some) => {
        const box = boundsOf(some);
        const corners = [-1, 1].flatMap((x) => [-1, 1].map((y) => pointOf(some, { x, y })));
        expect(Math.min(...corners.map(({ x }) => x))).toBeCloseTo(box.left, 6);
        expect(Math.max(...corners.map(({ x }) => x))).toBeCloseTo(box.right, 6);
        expect(Math.min(...corners.map(({ y }) => y))).toBeCloseTo(box.top, 6);
        expect(Math.max(...corners.map(({ y }) => y))).toBeCloseTo(box.bottom, 6);
      }),
    );
  });

  test('heightened enlarges a frame up to the highest frame that a page can have', () => {
    const frame = { x: 10, y: 10, w: 50, h: 20, rotation: 0 };
    expect(heightened(frame, 30)).toEqual({ ...frame, h: 30 });
    expect(heightened(frame, 2100)).toEqual({ ...frame, h: 2000 });
    expect(heightened({ ...frame, h: 2000 }, 2100)).toBeNull();
    // The height is rounded to the frame's own precision.
    expect(heightened(frame, 20.001)).toBeNull();
  });

  test('boundedFrame clamps any frame to the limits of the page model', () => {
    fc.assert(
      fc.property(
        fc.record({
          x: fc.integer(),
          y: fc.integer(),
          w: fc.integer(),
          h: fc.integer(),
          rotation: fc.integer(),
        }),
        (some) => {
          const element = { id: 'a', type: 'shape', kind: 'rect', ...boundedFrame(some) };
          expect(pageElement.safeParse(element).success).toBe(true);
        },
      ),
    );
  });

  test.each([
    [0, 0],
    [180, 180],
    [-180, 180],
    [190, -170],
    [725, 5],
    [-350, 10],
  ])('an angle of %d degrees is normalized to %d', (from, to) => expect(turned(from)).toBe(to));

  test('the reading order is top to bottom, then left to right on a line', () => {
    const items = [
      frame(100, 11, 20, 10),
      frame(10, 60, 20, 10),
      frame(10, 10, 20, 10),
      frame(50, 12, 20, 10),
    ];
    expect(inReadingOrder(items).map(({ x, y }) => [x, y])).toEqual([
      [10, 10],
      [50, 12],
      [100, 11],
      [10, 60],
    ]);
  });
});

describe('resizing', () => {
  test('resizing keeps the opposite side in place at any rotation', () => {
    fc.assert(
      fc.property(someFrame, someHandle, someVector, fc.boolean(), (some, handle, by, keepAspect) => {
        const { x, y } = handles[handle];
        const next = resized(some, handle, by, { keepAspect, fromMiddle: false });
        expect(near(pointOf(some, { x: -x, y: -y }), pointOf(next, { x: -x, y: -y }))).toBe(true);
        expect(next.w).toBeGreaterThanOrEqual(MIN_DRAGGED - 1e-9);
        expect(next.h).toBeGreaterThanOrEqual(MIN_DRAGGED - 1e-9);
        if (keepAspect) expect(next.w / next.h).toBeCloseTo(some.w / some.h, 4);
      }),
    );
  });

  test('a resized corner follows the pointer', () => {
    fc.assert(
      fc.property(someFrame, length(0, 100), length(0, 100), (some, dx, dy) => {
        const by = rotateVector({ x: dx, y: dy }, some.rotation);
        const next = resized(some, 'bottom right', by, { keepAspect: false, fromMiddle: false });
        const corner = pointOf(some, { x: 1, y: 1 });
        expect(near(pointOf(next, { x: 1, y: 1 }), { x: corner.x + by.x, y: corner.y + by.y })).toBe(true);
      }),
    );
  });

  test('resizing from the center keeps the center in place', () => {
    fc.assert(
      fc.property(someFrame, someHandle, someVector, (some, handle, by) => {
        const next = resized(some, handle, by, { keepAspect: false, fromMiddle: true });
        expect(near(middleOf(some), middleOf(next))).toBe(true);
      }),
    );
  });

  test('a frame cannot be resized to a negative size', () => {
    const next = resized(
      frame(10, 10, 20, 20),
      'right',
      { x: -500, y: 0 },
      { keepAspect: false, fromMiddle: false },
    );
    expect(next).toEqual(frame(10, 10, MIN_DRAGGED, 20));
  });

  test('several frames are resized together with their common bounds', () => {
    const both = [frame(0, 0, 10, 10), frame(30, 10, 10, 10)];
    const next = resizedAll(both, 'bottom right', { x: 40, y: 20 }, { keepAspect: false, fromMiddle: false });
    expect(next).toEqual([frame(0, 0, 20, 20), frame(60, 20, 20, 20)]);
  });
});

describe('rotation', () => {
  test('a frame follows the pointer through a quarter turn', () => {
    const [next] = rotatedBy([frame(0, 0, 20, 10)], { x: 10, y: -10 }, { x: 30, y: 5 }, false);
    expect(next).toEqual(frame(0, 0, 20, 10, 90));
  });

  test('rotating with Shift ends on a multiple of the step', () => {
    fc.assert(
      fc.property(someFrame, someVector, someVector, (some, from, to) => {
        const [next] = rotatedBy([some], from, to, true);
        const rest = Math.abs((next?.rotation ?? 1) % ROTATION_STEP);
        expect(Math.min(rest, ROTATION_STEP - rest)).toBeLessThan(0.02);
      }),
    );
  });

  test('several frames rotate around their common center', () => {
    const both = [frame(0, 0, 10, 10), frame(30, 0, 10, 10)];
    const next = rotatedBy(both, { x: 100, y: 5 }, { x: 20, y: 100 }, false);
    expect(next.map(middleOf).map(({ x, y }) => [Math.round(x), Math.round(y)])).toEqual([
      [20, -10],
      [20, 20],
    ]);
  });
});

describe('snapping', () => {
  const lines = snapLines(A4, 12, [frame(100, 100, 20, 20)]);

  test('each axis snaps separately to the nearest line within the threshold', () => {
    const { by, marks } = snapEdges(edgesOf(boundsOf(frame(98.5, 170.3, 30, 10))), lines, 2);
    expect(by.x).toBeCloseTo(1.5);
    expect(by.y).toBe(0);
    expect(marks).toEqual([{ axis: 'x', at: 100 }]);
  });

  test('a frame snaps to the center of the page', () => {
    const { by } = snapEdges(edgesOf(boundsOf(frame(84, 200, 40, 10))), snapLines(A4, 12, []), 2);
    expect(by.x).toBe(1);
  });

  test('snapping moves an edge only onto a line and never beyond the threshold', () => {
    fc.assert(
      fc.property(someFrame, length(0, 5), (some, reach) => {
        const edges = edgesOf(boundsOf(some));
        const { by } = snapEdges(edges, lines, reach);
        expect(Math.abs(by.x)).toBeLessThanOrEqual(reach);
        if (by.x !== 0) {
          expect(edges.x.some((edge) => lines.x.some((line) => Math.abs(edge + by.x - line) < 1e-6))).toBe(
            true,
          );
        }
      }),
    );
  });
});

describe('dragging', () => {
  const element = (id: string, place: Partial<Frame> = {}): PageElement =>
    pageElement.parse({ id, type: 'shape', kind: 'rect', ...frame(10, 10, 20, 10), ...place });
  const image = pageElement.parse({ id: 'i', type: 'image', ...frame(10, 10, 20, 10) });
  const keys = { shift: false, alt: false };

  test('a move applies to all dragged elements and snaps their common bounds', () => {
    const drag = {
      kind: 'move' as const,
      from: { x: 0, y: 0 },
      elements: [element('a'), element('b', { x: 40 })],
    };
    const { frames } = dragged(drag, { x: 1.4, y: 30 }, keys, {
      lines: snapLines(A4, 12, []),
      boxes: [],
      threshold: 1,
    });
    expect(frames).toEqual({ a: frame(12, 40, 20, 10), b: frame(42, 40, 20, 10) });
    expect(dragged(drag, { x: 1.4, y: 30 }, keys, null).frames.a).toEqual(frame(11.4, 40, 20, 10));
  });

  test('a move with Shift stays on one axis', () => {
    const drag = { kind: 'move' as const, from: { x: 0, y: 0 }, elements: [element('a')] };
    expect(dragged(drag, { x: 3, y: 30 }, { ...keys, shift: true }, null).frames.a).toEqual(
      frame(10, 40, 20, 10),
    );
  });

  test('a corner drag keeps the aspect ratio of images, and of other elements with Shift', () => {
    const pull = (elements: PageElement[], shift: boolean) =>
      dragged(
        { kind: 'resize', handle: 'bottom right', from: { x: 0, y: 0 }, elements },
        { x: 20, y: 0 },
        { ...keys, shift },
        null,
      ).frames;
    expect(pull([image], false).i).toEqual(frame(10, 10, 40, 20));
    expect(pull([image], true).i).toEqual(frame(10, 10, 40, 10));
    expect(pull([element('a')], false).a).toEqual(frame(10, 10, 40, 10));
    expect(pull([element('a')], true).a).toEqual(frame(10, 10, 40, 20));
  });

  test('a resized edge snaps to a line', () => {
    const drag = {
      kind: 'resize' as const,
      handle: 'right' as const,
      from: { x: 30, y: 15 },
      elements: [element('a')],
    };
    const { frames, marks } = dragged(drag, { x: 104, y: 15 }, keys, {
      lines: snapLines(A4, 12, []),
      boxes: [],
      threshold: 2,
    });
    expect(frames.a).toEqual(frame(10, 10, 95, 10));
    expect(marks).toEqual([{ axis: 'x', at: 105 }]);
  });
});

describe('alignment', () => {
  test('a rotated frame is aligned by its visible bounds', () => {
    const [next] = aligned([frame(50, 50, 20, 10, 90)], 'left', A4);
    expect(next && boundsOf(next).left).toBeCloseTo(0, 6);
    expect(next && boundsOf(next).top).toBeCloseTo(45, 6);
  });

  // Frames with the same center are excluded because their order is undefined.
  const someFrames = fc.uniqueArray(
    fc
      .tuple(fc.integer({ min: -500, max: 500 }), fc.integer({ min: 2, max: 200 }), length(-180, 180))
      .map(([middle, h, rotation]) => frame(0, middle - h / 2, 20, h, rotation)),
    { minLength: 3, maxLength: 8, selector: (some) => middleOf(some).y },
  );

  test('distributing makes all gaps equal', () => {
    fc.assert(
      fc.property(someFrames, (frames) => {
        const next = distributed(frames, 'vertical');
        const middle = (index: number) => middleOf(frames[index] ?? frame(0, 0, 1, 1)).y;
        const order = frames.map((_, index) => index).sort((a, b) => middle(a) - middle(b));
        const boxes = order.map((index) => boundsOf(next[index] ?? frame(0, 0, 1, 1)));
        const gaps = boxes.slice(1).map((box, index) => box.top - (boxes[index]?.bottom ?? 0));
        expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThan(1e-6);
      }),
    );
  });
});

test('zoom moves in steps within its limits and fits a page into the available space', () => {
  expect([steppedZoom(1, 1), steppedZoom(1, -1), steppedZoom(0.6, 1), steppedZoom(4, 1)]).toEqual([
    1.5, 0.75, 0.75, 4,
  ]);
  // A zoom outside the limits can only change toward them.
  expect([steppedZoom(0.3, -1), steppedZoom(0.3, 1)]).toEqual([0.3, 0.5]);
  expect([scaledZoom(1, 1.5), scaledZoom(1, 0.1), scaledZoom(3, 2)]).toEqual([1.5, MIN_ZOOM, MAX_ZOOM]);
  expect([scaledZoom(MAX_ZOOM, 1.1), scaledZoom(MIN_ZOOM, 0.9)]).toEqual([MAX_ZOOM, MIN_ZOOM]);
  expect([scaledZoom(0.3, 0.9), scaledZoom(0.3, 1.1)]).toEqual([0.3, 0.5]);
  expect(fittingZoom(A4, { width: 10_000, height: 297 * PX_PER_MM + 40 }, 20)).toBeCloseTo(1);
});
