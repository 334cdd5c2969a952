import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cropKey } from '@/components/editor/canvas/canvas-keys';
import type { EditorAction } from '@/components/editor/editor-action';
import { openPage } from '@/components/editor/editor-change';
import { editorReducer } from '@/components/editor/editor-reducer';
import { type EditorState, openEditor } from '@/components/editor/editor-state';
import {
  cropOf,
  maxZoom,
  type Part,
  panned,
  shownPart,
  zoomedTo,
  zoomOf,
} from '@/components/editor/geometry/crop';
import { pinchOf } from '@/components/editor/geometry/pinch';
import { imageElement, pageData } from '@/lib/document/page-model';
import { placeImage } from '@/lib/document/place-image';
import { projectDocument } from '@/lib/document/schema';

const side = fc.double({ min: 5, max: 400, noNaN: true });
const someFrame = fc.record({ w: side, h: side });
const someImage = fc.record({
  width: fc.integer({ min: 200, max: 6000 }),
  height: fc.integer({ min: 200, max: 6000 }),
});
const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const somePoint = fc.record({ x: fraction, y: fraction });
const someWay = fc.record({
  x: fc.double({ min: -2, max: 2, noNaN: true }),
  y: fc.double({ min: -2, max: 2, noNaN: true }),
});
const someZoom = fc.double({ min: 0.2, max: 20, noNaN: true });
/**
 * A frame, its image, and the parts of the image shown before (`full`) and after (`part`) zooming and moving. Excludes
 * frames for which even `full` is too small to store.
 */
const someCrop = fc
  .tuple(someFrame, someImage, someZoom, somePoint, someWay)
  .map(([frame, image, zoom, at, by]) => {
    const full = shownPart(frame, image, null);
    return { frame, image, full, part: panned(zoomedTo(full, zoom, full, at), by) };
  })
  .filter(({ full }) => Math.min(full.w, full.h) >= 0.01);

function expectSamePart(actual: Part, expected: Part, digits = 6): void {
  for (const key of ['x', 'y', 'w', 'h'] as const) expect(actual[key]).toBeCloseTo(expected[key], digits);
}

describe('the part of an image in its frame', () => {
  test('a stored crop is valid and shows the part of the image that the user saw', () => {
    fc.assert(
      fc.property(someCrop, ({ frame, image, full, part }) => {
        const crop = cropOf(part, full);
        expect(imageElement.shape.crop.safeParse(crop).error).toBeUndefined();
        expectSamePart(shownPart(frame, image, crop), part, 3);
      }),
    );
  });

  test('a part lies within the image and has the proportions of the frame', () => {
    fc.assert(
      fc.property(someCrop, ({ frame, image, part }) => {
        expect(Math.min(part.x, part.y)).toBeGreaterThanOrEqual(-1e-9);
        expect(Math.max(part.x + part.w, part.y + part.h)).toBeLessThanOrEqual(1 + 1e-9);
        const aspect = (part.w * image.width) / (part.h * image.height);
        expect(aspect / (frame.w / frame.h)).toBeCloseTo(1, 6);
      }),
    );
  });

  test('zooming keeps the point under the pointer unless an edge of the image is in the way', () => {
    fc.assert(
      fc.property(someCrop, someZoom, somePoint, ({ full, part }, zoom, at) => {
        const next = zoomedTo(part, zoom, full, at);
        const pointOf = (of: Part) => ({ x: of.x + at.x * of.w, y: of.y + at.y * of.h });
        const isAtEdge = (start: number, length: number) => start < 1e-9 || start + length > 1 - 1e-9;
        if (!isAtEdge(next.x, next.w)) expect(pointOf(next).x).toBeCloseTo(pointOf(part).x, 6);
        if (!isAtEdge(next.y, next.h)) expect(pointOf(next).y).toBeCloseTo(pointOf(part).y, 6);
        expect(zoomOf(next, full)).toBeCloseTo(Math.min(Math.max(zoom, 1), maxZoom(full)), 6);
      }),
    );
  });

  test('the middle of a crop stays visible when the proportions of the frame change', () => {
    fc.assert(
      fc.property(someCrop, someFrame, ({ image, full, part }, other) => {
        const shown = shownPart(other, image, cropOf(part, full) ?? full);
        expect(shown.x + shown.w / 2).toBeCloseTo(part.x + part.w / 2, 3);
        expect(shown.y + shown.h / 2).toBeCloseTo(part.y + part.h / 2, 3);
      }),
    );
  });

  test('an image without a crop fills the frame from its middle, and is stored without one', () => {
    const frame = { w: 50, h: 100 };
    const image = { width: 1000, height: 1000 };
    const full = shownPart(frame, image, null);
    expectSamePart(full, { x: 0.25, y: 0, w: 0.5, h: 1 });
    expect(cropOf(full, full)).toBeNull();
    const half = cropOf(zoomedTo(full, 2, full, { x: 0, y: 0 }), full);
    expect(half).toEqual({ x: 0.25, y: 0, w: 0.25, h: 0.5 });
    expect(placeImage({ width: 50, height: 100 }, image, 'cover', half)).toMatchObject({
      width: 200,
      left: -50,
    });
  });
});

test('one pointer moves an image, and two pointers scale it around their middle', () => {
  const [a, b] = [
    { x: 10, y: 10 },
    { x: 30, y: 10 },
  ];
  expect(pinchOf([a], [b])).toEqual({ from: a, by: { x: 20, y: 0 }, scale: 1 });
  expect(
    pinchOf(
      [a, b],
      [
        { x: 0, y: 14 },
        { x: 40, y: 14 },
      ],
    ),
  ).toEqual({
    from: { x: 20, y: 10 },
    by: { x: 0, y: 4 },
    scale: 2,
  });
});

describe('cropping', () => {
  const image = imageElement.parse({ id: 'i', type: 'image', path: 'a.png', x: 0, y: 0, w: 50, h: 50 });
  const open = (more: object = {}): EditorState => {
    const elements = [{ ...image, ...more }];
    return openEditor(projectDocument.parse({ version: 1, pages: [pageData.parse({ id: 'p', elements })] }));
  };
  const act = (state: EditorState, ...actions: EditorAction[]) => actions.reduce(editorReducer, state);
  const start: EditorAction = { type: 'cropping-started', id: 'i' };
  const crop = (x: number): EditorAction => ({
    type: 'elements-changed',
    ids: ['i'],
    patch: { crop: { x, y: 0, w: 0.5, h: 0.5 }, fit: 'cover' },
    group: 'crop i',
  });
  const end: EditorAction = { type: 'cropping-ended', apply: true };
  const cancel: EditorAction = { type: 'cropping-ended', apply: false };

  test('all changes of one crop are one undo step, and the next crop is another one', () => {
    const state = act(open(), start, crop(0.1), crop(0.2), end, start, crop(0.3), end);
    expect(state.past).toHaveLength(2);
    const undone = act(state, { type: 'undone' });
    expect(openPage(undone)?.elements[0]).toMatchObject({ crop: { x: 0.2 } });
  });

  test('a canceled crop leaves no trace, and canceling without a change keeps the last step', () => {
    const before = open();
    const canceled = act(before, start, crop(0.1), crop(0.2), cancel);
    expect(canceled.document).toBe(before.document);
    expect(canceled.past).toEqual([]);
    const cropped = act(before, start, crop(0.1), end);
    expect(act(cropped, start, cancel).document).toBe(cropped.document);
  });

  test.each<[string, EditorAction[]]>([
    ['undo and redo', [{ type: 'undone' }, { type: 'redone' }]],
    ['leaving another field', [{ type: 'settled' }]],
    ['a second undo step', [{ type: 'settled' }, crop(0.3)]],
  ])('canceling restores the crop from before after %s', (_, between) => {
    const before = act(open({ fit: 'contain' }), start, crop(0.1), end);
    const canceled = act(before, start, crop(0.2), ...between, cancel);
    expect(canceled.cropping).toBeNull();
    expect(canceled.document).toEqual(before.document);
  });

  test('a canceled crop keeps the crop that someone else made meanwhile', () => {
    const opened = open();
    const theirs = act(opened, start, crop(0.25), end).document;
    const merged: EditorAction = { type: 'merged', document: theirs, base: opened.document, theirs };
    const canceled = act(opened, start, merged, cancel);
    expect(openPage(canceled)?.elements[0]).toMatchObject({ crop: { x: 0.25 } });
    expect(canceled.past).toEqual(opened.past);
  });

  test('cropping ends when the image is no longer the only selected element', () => {
    expect(act(open(), start).cropping).toMatchObject({ id: 'i' });
    expect(act(open(), start, { type: 'selected', ids: [] }).cropping).toBeNull();
    expect(act(open(), start, { type: 'removed' }).cropping).toBeNull();
    expect(
      act(open(), start, { type: 'sheet-opened', sheet: { kind: 'master', id: 'default' } }).cropping,
    ).toBeNull();
  });

  test('cropping ends when the image is replaced, so that canceling does not crop the new image', () => {
    const replace: EditorAction = {
      type: 'elements-changed',
      ids: ['i'],
      patch: { path: 'b.png', crop: null },
    };
    const replaced = act(open(), start, crop(0.1), end, start, replace);
    expect(replaced.cropping).toBeNull();
    expect(openPage(act(replaced, cancel))?.elements[0]).toMatchObject({ path: 'b.png', crop: null });
  });

  test('locked images and empty frames cannot be cropped', () => {
    expect(act(open({ locked: true }), start).cropping).toBeNull();
    expect(act(open({ path: null }), start).cropping).toBeNull();
  });

  test('arrows move the image, plus and minus zoom it, Enter applies and Escape cancels', () => {
    const press = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };
    expect(cropKey({ ...press, key: 'ArrowLeft', shiftKey: true })).toEqual({ dx: -10, dy: 0 });
    expect(cropKey({ ...press, key: '+' })).toEqual({ zoom: 1.1 });
    expect(cropKey({ ...press, key: 'Enter' })).toBe('apply');
    expect(cropKey({ ...press, key: 'Escape' })).toBe('cancel');
    expect(cropKey({ ...press, key: '+', ctrlKey: true })).toBeNull();
  });
});
