import { expect, test } from 'vitest';
import {
  type MaskAction,
  maskOf,
  maskReducer,
  movedByKey,
  picturePoint,
  positionOf,
} from '@/components/studio/region/mask-state';
import { region } from '@/components/studio/region/region';

const picture = { width: 400, height: 200 };
const brush = { kind: 'stroke', erases: false, radius: 10 } as const;
const eraser = { kind: 'rectangle', erases: true, radius: 10 } as const;
const from = { x: 10, y: 20 };
const to = { x: 30, y: 40 };
const paint = (...actions: MaskAction[]) => actions.reduce(maskReducer, maskOf([]));
const stroke: MaskAction[] = [
  { type: 'started', tool: brush, at: from },
  { type: 'moved', to },
  { type: 'finished' },
];
const strokeMark = { kind: 'stroke', erases: false, radius: 10, points: [from, to] };

test('a position on the screen becomes a point in pixels of the picture, never one outside the picture', () => {
  const frame = { x: 50, y: 100, width: 100, height: 50 };
  expect(picturePoint({ x: 75, y: 125 }, frame, picture)).toEqual({ x: 100, y: 100 });
  expect(picturePoint({ x: 0, y: 1000 }, frame, picture)).toEqual({ x: 0, y: 200 });
});

test('arrow keys move the brush by 1/40 of the longer side, and five times as far with Shift', () => {
  expect(movedByKey('ArrowRight', false, from, picture)).toEqual({ x: 20, y: 20 });
  expect(movedByKey('ArrowDown', true, from, picture)).toEqual({ x: 10, y: 70 });
  expect(movedByKey('ArrowLeft', true, from, picture)).toEqual({ x: 0, y: 20 });
  expect(movedByKey('a', false, from, picture)).toBeNull();
});

test('the position of the brush is described for screen readers', () => {
  expect(positionOf({ x: 100, y: 199 }, picture)).toBe('25% from the left, 100% from the top.');
});

test('a painted region survives a reload, and an invalid one is dropped', () => {
  const painted = { imageKey: 'a.png', label: '1.2', picture, marks: [strokeMark, { kind: 'invert' }] };
  expect(region.parse(JSON.parse(JSON.stringify(painted)))).toEqual(painted);
  expect(region.safeParse({ ...painted, marks: [{ kind: 'stroke' }] }).success).toBe(false);
});

test('a stroke collects points from start to end, and a rectangle keeps two corners', () => {
  expect(paint(...stroke)).toMatchObject({ marks: [strokeMark], current: null });
  const rectangle: MaskAction[] = [
    { type: 'started', tool: eraser, at: from },
    { type: 'moved', to: { x: 99, y: 99 } },
    { type: 'moved', to },
  ];
  const mark = { kind: 'rectangle', erases: true, from, to };
  expect(paint(...rectangle)).toMatchObject({ marks: [], current: mark });
  expect(paint(...rectangle, { type: 'finished' }).marks).toEqual([mark]);
});

test('moving and finishing without a start, and clearing or undoing nothing, change nothing', () => {
  const state = maskOf([]);
  for (const type of ['finished', 'abandoned', 'cleared', 'undone'] as const) {
    expect(maskReducer(state, { type })).toBe(state);
  }
  expect(maskReducer(state, { type: 'moved', to })).toBe(state);
});

test('an abandoned stroke does not change the mask', () => {
  expect(paint(...stroke, ...stroke.slice(0, 2), { type: 'abandoned' }).marks).toHaveLength(1);
});

test('a stroke in progress is kept when the mask is inverted or another stroke starts, and undo removes only it', () => {
  const [started, moved] = stroke;
  if (!started || !moved) throw new Error('the stroke has no start');
  const other = { ...strokeMark, points: [from] };
  expect(paint(started, moved, { type: 'inverted' }).marks).toEqual([strokeMark, { kind: 'invert' }]);
  expect(paint(started, moved, started, { type: 'finished' }).marks).toEqual([strokeMark, other]);
  expect(paint(...stroke, started, { type: 'undone' })).toMatchObject({ marks: [strokeMark], current: null });
});

test('each change can be undone, including inverting and clearing', () => {
  const changed = paint(...stroke, { type: 'inverted' }, { type: 'cleared' });
  expect(changed.marks).toEqual([]);
  const [once, twice, thrice] = [1, 2, 3].map((times) =>
    Array.from({ length: times }, (): MaskAction => ({ type: 'undone' })).reduce(maskReducer, changed),
  );
  expect(once?.marks).toEqual([strokeMark, { kind: 'invert' }]);
  expect(twice?.marks).toEqual([strokeMark]);
  expect(thrice).toEqual(maskOf([]));
});

test('reopening a painted region starts with its marks, which can be undone', () => {
  const again = maskReducer(maskOf(paint(...stroke).marks), { type: 'undone' });
  expect(again.marks).toEqual([strokeMark]);
});
