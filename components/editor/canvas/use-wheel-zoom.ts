import { type RefObject, useEffect } from 'react';
import type { ZoomView } from './use-zoom';

/** Makes Ctrl+wheel and Cmd+wheel zoom the canvas around the pointer. */
export function useWheelZoom(paper: RefObject<HTMLElement | null>, zoomAt: ZoomView['zoomAt']): void {
  // By default, Ctrl+wheel zooms the window. Only a non-passive listener can prevent that.
  useEffect(() => {
    const desk = paper.current?.closest<HTMLElement>('[data-desk]');
    if (!desk) return;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoomAt(Math.exp(-event.deltaY / 300), { x: event.clientX, y: event.clientY });
    };
    desk.addEventListener('wheel', onWheel, { passive: false });
    return () => desk.removeEventListener('wheel', onWheel);
  }, [paper, zoomAt]);
}
