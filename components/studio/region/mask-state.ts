import { z } from 'zod';

const point = z.object({ x: z.number(), y: z.number() });
export type MaskPoint = z.infer<typeof point>;
export const size = z.object({ width: z.number().positive(), height: z.number().positive() });
export type MaskSize = z.infer<typeof size>;

/** A step in painting a mask. All lengths are in pixels of the picture, so that a mask is the same on every screen. */
export const mark = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('stroke'), erases: z.boolean(), radius: z.number(), points: z.array(point) }),
  z.object({ kind: z.literal('rectangle'), erases: z.boolean(), from: point, to: point }),
  z.object({ kind: z.literal('invert') }),
]);
export type Mark = z.infer<typeof mark>;

export type Tool = { kind: 'stroke' | 'rectangle'; erases: boolean; radius: number };

export type MaskState = {
  /** Finished marks, oldest first. */
  marks: Mark[];
  /** The marks as they were before each change, oldest first. Undoing a finished change restores the last entry. */
  past: Mark[][];
  /** The mark being drawn. */
  current: Exclude<Mark, { kind: 'invert' }> | null;
};

export type MaskAction =
  | { type: 'started'; tool: Tool; at: MaskPoint }
  | { type: 'moved'; to: MaskPoint }
  | { type: 'finished' }
  | { type: 'abandoned' }
  | { type: 'inverted' }
  | { type: 'cleared' }
  | { type: 'undone' };

/** Returns the state of a mask with these marks and nothing to undo. */
export function maskOf(marks: Mark[]): MaskState {
  return { marks, past: [], current: null };
}

function withMarks(state: MaskState, marks: Mark[]): MaskState {
  return { marks, past: [...state.past, state.marks], current: null };
}

/** Returns the state with the mark being drawn, if any, added to the finished marks. */
function finished(state: MaskState): MaskState {
  return state.current ? withMarks(state, [...state.marks, state.current]) : state;
}

/** Returns the next state of a mask, or the same object if nothing changes. */
export function maskReducer(state: MaskState, action: MaskAction): MaskState {
  const { marks, past, current } = state;
  switch (action.type) {
    case 'started': {
      const { tool, at } = action;
      const { kind, erases, radius } = tool;
      return {
        ...finished(state),
        current:
          kind === 'stroke' ? { kind, erases, radius, points: [at] } : { kind, erases, from: at, to: at },
      };
    }
    case 'moved':
      if (!current) return state;
      return {
        ...state,
        current:
          current.kind === 'stroke'
            ? { ...current, points: [...current.points, action.to] }
            : { ...current, to: action.to },
      };
    case 'finished':
      return finished(state);
    case 'abandoned':
      return current ? { ...state, current: null } : state;
    case 'inverted': {
      const done = finished(state);
      return withMarks(done, [...done.marks, { kind: 'invert' }]);
    }
    case 'cleared':
      return marks.length > 0 ? withMarks(state, []) : state;
    case 'undone': {
      if (current) return { ...state, current: null };
      const before = past.at(-1);
      return before ? { marks: before, past: past.slice(0, -1), current } : state;
    }
  }
}

const between = (low: number, value: number, high: number) => Math.min(high, Math.max(low, value));

/** Limits a point to the picture. */
export function withinPicture({ x, y }: MaskPoint, { width, height }: MaskSize): MaskPoint {
  return { x: between(0, x, width), y: between(0, y, height) };
}

/** Converts a position on the screen to a point of the picture that is shown in `frame`. */
export function picturePoint(on: MaskPoint, frame: MaskPoint & MaskSize, picture: MaskSize): MaskPoint {
  const x = ((on.x - frame.x) / frame.width) * picture.width;
  const y = ((on.y - frame.y) / frame.height) * picture.height;
  return withinPicture({ x, y }, picture);
}

const STEPS = 40;
const LARGE_STEP = 5;
const directions = new Map<string, MaskPoint>([
  ['ArrowLeft', { x: -1, y: 0 }],
  ['ArrowRight', { x: 1, y: 0 }],
  ['ArrowUp', { x: 0, y: -1 }],
  ['ArrowDown', { x: 0, y: 1 }],
]);

/**
 * Returns the point to which an arrow key moves the brush, or null for any other key. `isLarge` makes the step larger.
 */
export function movedByKey(
  key: string,
  isLarge: boolean,
  { x, y }: MaskPoint,
  picture: MaskSize,
): MaskPoint | null {
  const direction = directions.get(key);
  if (!direction) return null;
  const step = (Math.max(picture.width, picture.height) / STEPS) * (isLarge ? LARGE_STEP : 1);
  return withinPicture({ x: x + direction.x * step, y: y + direction.y * step }, picture);
}

/** Describes the position of a point in the picture for screen readers. */
export function positionOf({ x, y }: MaskPoint, { width, height }: MaskSize): string {
  const percent = (share: number) => `${Math.round(100 * share)}%`;
  return `${percent(x / width)} from the left, ${percent(y / height)} from the top.`;
}
