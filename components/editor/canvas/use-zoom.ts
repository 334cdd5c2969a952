'use client';

import { useElementSize } from '@mantine/hooks';
import {
  type RefCallback,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { SheetSize } from '@/lib/document/sheets';
import { fittingZoom, PX_PER_MM, scaledZoom, steppedZoom, type Zoom } from '../geometry/zoom';

/** Minimum space around a page, in CSS pixels. */
const DESK_GAP = 24;
const RULER = 17;

type Anchor = { mm: { x: number; y: number }; at: { x: number; y: number } };

export type ZoomView = {
  zoom: Zoom;
  /** CSS pixels per millimeter at the current zoom. */
  px: number;
  /** Scale factor; 1 is the actual size. */
  scale: number;
  /** Space to the left of and above the page, in CSS pixels. Centers the page if the canvas is large enough. */
  inset: { x: number; y: number };
  measure: RefCallback<HTMLElement | null>;
  paper: RefObject<HTMLDivElement | null>;
  setZoom: (zoom: Zoom) => void;
  step: (direction: 1 | -1) => void;
  /** Zooms by a factor around a point in the viewport, so that the same point of the page stays there. */
  zoomAt: (factor: number, at: { x: number; y: number }) => void;
};

/** Manages the zoom of the canvas. `fit` adapts to the available space. */
export function useCanvasZoom(page: SheetSize): ZoomView {
  const [zoom, setZoom] = useState<Zoom>('fit');
  const { ref: measure, width, height } = useElementSize();
  const paper = useRef<HTMLDivElement>(null);
  const anchor = useRef<Anchor | null>(null);
  const scale =
    zoom === 'fit' ? fittingZoom(page, { width: width - RULER, height: height - RULER }, DESK_GAP) : zoom;
  const px = scale * PX_PER_MM;
  const insetX = Math.max(DESK_GAP, Math.floor((width - RULER - page.width * px) / 2));
  const insetY = Math.max(DESK_GAP, Math.floor((height - RULER - page.height * px) / 2));

  useLayoutEffect(() => {
    const kept = anchor.current;
    const element = paper.current;
    anchor.current = null;
    if (!kept || !element) return;
    const { left, top } = element.getBoundingClientRect();
    const room = element.closest('[data-desk]');
    room?.scrollBy(left + kept.mm.x * px - kept.at.x, top + kept.mm.y * px - kept.at.y);
  }, [px]);

  const zoomAt = useCallback(
    (factor: number, at: { x: number; y: number }) => {
      const next = scaledZoom(scale, factor);
      // At the limits, the scale does not change. The layout effect would then not run, so an anchor would remain and
      // affect a later zoom.
      if (next === scale) return;
      const rect = paper.current?.getBoundingClientRect();
      if (rect) anchor.current = { at, mm: { x: (at.x - rect.left) / px, y: (at.y - rect.top) / px } };
      setZoom(next);
    },
    [px, scale],
  );
  return useMemo(
    () => ({
      zoom,
      px,
      scale,
      inset: { x: insetX, y: insetY },
      measure,
      paper,
      setZoom,
      step: (direction: 1 | -1) => setZoom(steppedZoom(scale, direction)),
      zoomAt,
    }),
    [zoom, px, scale, insetX, insetY, measure, zoomAt],
  );
}
