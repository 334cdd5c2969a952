import { expect, test } from 'vitest';
import { fitted, MAX_SCALE, panBy, swipeOf, zoomAt } from '@/components/studio/zoom';

const stage = { width: 1000, height: 500 };
// Fitted to the stage, the picture is 500 × 500 px.
const picture = { width: 2000, height: 2000 };

test('the point under the pointer stays in place while zooming', () => {
  const point = { x: 100, y: -50 };
  const view = zoomAt(fitted, 4, point, picture, stage);
  expect(view.scale).toBe(4);
  // A point p of the fitted picture is shown at p * scale + offset.
  expect({ x: point.x * view.scale + view.x, y: point.y * view.scale + view.y }).toEqual(point);
});

test('the scale has limits, and a fitted picture is in the center', () => {
  const far = zoomAt(fitted, 100, { x: 240, y: 240 }, picture, stage);
  expect(far.scale).toBe(MAX_SCALE);
  const back = zoomAt(far, 0.001, { x: -30, y: 10 }, picture, stage);
  expect([back.scale, Math.abs(back.x), Math.abs(back.y)]).toEqual([1, 0, 0]);
});

test('an edge of a picture larger than the stage cannot be moved into the stage', () => {
  const view = zoomAt(fitted, 4, { x: 0, y: 0 }, picture, stage);
  expect(panBy(view, { x: 9999, y: -9999 }, picture, stage)).toEqual({ scale: 4, x: 500, y: -750 });
  // At this scale the picture is as wide as the stage.
  expect(panBy({ ...view, scale: 2 }, { x: 9999, y: 0 }, picture, stage)).toMatchObject({ x: 0 });
});

test.each([
  ['to the left', { x: 40, y: 110 }, 1],
  ['to the right', { x: 160, y: 80 }, -1],
  ['a little', { x: 70, y: 100 }, 0],
  ['steeply', { x: 40, y: 140 }, 0],
])('a finger that moves %s swipes by the expected number of pictures', (_, to, by) => {
  expect(swipeOf({ x: 100, y: 100 }, to)).toBe(by);
});
