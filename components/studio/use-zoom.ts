'use client';

import { type PointerEvent, useCallback, useEffect, useRef, useState } from 'react';
import { fitted, panBy, swipeOf, type View, type ViewPoint, type ViewSize, zoomAt } from './zoom';

const center: ViewPoint = { x: 0, y: 0 };
/** The zoom factor per pixel of wheel movement. */
const WHEEL = 1.0015;

const middle = (points: ViewPoint[]): ViewPoint => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
  y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
});
const spread = ([a, b]: ViewPoint[]) => (a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0);

/**
 * Zooms and pans a picture by wheel, pinch and drag. Returns functions that do the same for keys and buttons. A new
 * `key` means another picture, which initially fits the stage. Calls `onSwipe` with 1 or -1 when a finger swipes to the
 * next or previous picture. On a zoomed-in picture, the finger pans instead.
 */
export function useImageZoom(key: string, picture: ViewSize, onSwipe: (by: 1 | -1) => void) {
  const [last, setLast] = useState({ key, view: fitted });
  const setView = useCallback(
    (change: (view: View) => View) =>
      setLast((last) => ({ key, view: change(last.key === key ? last.view : fitted) })),
    [key],
  );
  const [stage, setStage] = useState<HTMLDivElement | null>(null);
  const pointers = useRef(new Map<number, ViewPoint>());
  // Where the gesture started, if it can still be a swipe.
  const swipeStart = useRef<ViewPoint | null>(null);
  const { width, height } = picture;

  const zoom = useCallback(
    (factor: number, point = center) => {
      const room = stage?.getBoundingClientRect();
      if (room) setView((view) => zoomAt(view, factor, point, { width, height }, room));
    },
    [stage, width, height, setView],
  );
  const pan = useCallback(
    (by: ViewPoint) => {
      const room = stage?.getBoundingClientRect();
      if (room) setView((view) => panBy(view, by, { width, height }, room));
    },
    [stage, width, height, setView],
  );
  const fromCenter = useCallback(
    ({ x, y }: ViewPoint): ViewPoint => {
      const room = stage?.getBoundingClientRect();
      return room ? { x: x - room.x - room.width / 2, y: y - room.y - room.height / 2 } : center;
    },
    [stage],
  );

  useEffect(() => {
    // React's own wheel listeners are passive, so they cannot keep the page from scrolling.
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      zoom(WHEEL ** -event.deltaY, fromCenter({ x: event.clientX, y: event.clientY }));
    };
    stage?.addEventListener('wheel', onWheel, { passive: false });
    return () => stage?.removeEventListener('wheel', onWheel);
  }, [stage, zoom, fromCenter]);

  const onPointerMove = (event: PointerEvent) => {
    if (!pointers.current.has(event.pointerId)) return;
    const before = [...pointers.current.values()];
    pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const now = [...pointers.current.values()];
    const [from, to] = [middle(before), middle(now)];
    pan({ x: to.x - from.x, y: to.y - from.y });
    if (now.length === 2 && spread(before) > 0) zoom(spread(now) / spread(before), fromCenter(to));
  };
  const view = last.key === key ? last.view : fitted;
  const release = (event: PointerEvent) => {
    pointers.current.delete(event.pointerId);
    swipeStart.current = null;
  };

  return {
    view,
    zoom,
    pan,
    reset: () => setView(() => fitted),
    stageProps: {
      ref: setStage,
      onPointerDown: (event: PointerEvent) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        const point = { x: event.clientX, y: event.clientY };
        const canSwipe = event.pointerType === 'touch' && pointers.current.size === 0 && view.scale === 1;
        swipeStart.current = canSwipe ? point : null;
        pointers.current.set(event.pointerId, point);
      },
      onPointerMove,
      onPointerUp: (event: PointerEvent) => {
        const from = swipeStart.current;
        release(event);
        const by = from ? swipeOf(from, { x: event.clientX, y: event.clientY }) : 0;
        if (by) onSwipe(by);
      },
      onPointerCancel: release,
    },
  };
}
