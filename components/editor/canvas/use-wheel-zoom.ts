import { type RefObject, useEffect } from 'react';
import type { ZoomView } from './use-zoom';

/** Zooms the canvas around the pointer with Ctrl+wheel. */
export function useWheelZoom(desk: RefObject<HTMLElement | null>, zoomAt: ZoomView['zoomAt']): void {
  // By default, Ctrl+wheel zooms the window. Only a non-passive listener can prevent that.
  useEffect(() => {
    const element = desk.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoomAt(Math.exp(-event.deltaY / 300), { x: event.clientX, y: event.clientY });
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [desk, zoomAt]);
}
