'use client';

import { VisuallyHidden } from '@mantine/core';
import {
  type KeyboardEvent,
  type PointerEvent as ReactPointerEvent,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
} from 'react';
import type { Point } from '@/lib/document/bounds';
import { elementLabel } from '../element-labels';
import { rotateVector } from '../geometry/frames';
import { pinchOf } from '../geometry/pinch';
import { useEditorContext } from '../use-editor';
import classes from './canvas.module.css';
import { cropKey } from './canvas-keys';
import { followPointer } from './follow-pointer';
import { type Cropped, useCrop } from './use-crop';

type CropLayerProps = Cropped & { px: number; onEnd: () => void };

/**
 * Shows the image that is being cropped, dimmed outside its frame. Dragging moves the image in the frame; the wheel and
 * two fingers zoom it. A press outside the image and the crop bar applies the crop.
 */
export function CropLayer({ element, image, px, onEnd }: CropLayerProps) {
  const { store } = useEditorContext();
  const { part, zoom, change, setPart } = useCrop({ element, image });
  const layer = useRef<HTMLButtonElement>(null);
  const pointers = useRef(new Map<number, Point>());
  const gesture = useRef<(() => void) | null>(null);
  const help = useId();
  const { x, y, w, h, rotation } = element;
  const [width, height] = [w * px, h * px];

  const end = (apply: boolean) => {
    store.dispatch({ type: 'cropping-ended', apply });
    onEnd();
  };

  /** Returns the position of a pointer in the frame, in CSS pixels from its upper left corner. */
  const pointOf = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const {
      left = 0,
      top = 0,
      width: across = 0,
      height: down = 0,
    } = layer.current?.getBoundingClientRect() ?? {};
    const arm = rotateVector({ x: clientX - left - across / 2, y: clientY - top - down / 2 }, -rotation);
    return { x: width / 2 + arm.x, y: height / 2 + arm.y };
  };
  const inFrame = ({ x, y }: Point): Point => ({ x: x / width, y: y / height });

  /** Starts a gesture. Returns a function that applies the pointers' movement since the start. */
  const startGesture = () => {
    const before = [...pointers.current.values()];
    return () => {
      const { from, by, scale } = pinchOf(before, [...pointers.current.values()]);
      change(part, { zoom: zoom * scale, at: inFrame(from), by: inFrame(by) });
    };
  };

  const onPointerDown = (event: ReactPointerEvent) => {
    event.stopPropagation();
    if (event.button !== 0 || pointers.current.size >= 2) return;
    pointers.current.set(event.pointerId, pointOf(event));
    const own = startGesture();
    gesture.current = own;
    let isMoved = false;
    const done = () => {
      pointers.current.delete(event.pointerId);
      gesture.current = null;
    };
    followPointer(event.pointerId, {
      move: (next) => {
        pointers.current.set(next.pointerId, pointOf(next));
        isMoved = true;
        gesture.current?.();
      },
      end: done,
      cancel: () => {
        if (isMoved && gesture.current === own) setPart(part);
        done();
      },
    });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const key = cropKey(event);
    // Keep the canvas from handling Tab, so that Tab moves the focus to the buttons. Leave other keys that `cropKey`
    // ignores, such as shortcuts with Ctrl, to the canvas and the editor.
    if (event.key === 'Tab') event.stopPropagation();
    if (!key) return;
    event.preventDefault();
    event.stopPropagation();
    if (key === 'apply' || key === 'cancel') end(key === 'apply');
    else if ('zoom' in key) change(part, { zoom: zoom * key.zoom });
    else change(part, { zoom, by: { x: key.dx / w, y: key.dy / h } });
  };

  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault();
    event.stopPropagation();
    change(part, { zoom: zoom * Math.exp(-event.deltaY / 500), at: inFrame(pointOf(event)) });
  });
  const onPressElsewhere = useEffectEvent(({ target }: PointerEvent) => {
    if (target instanceof Element && target.closest('[data-crop]')) return;
    store.dispatch({ type: 'cropping-ended', apply: true });
  });
  useEffect(() => {
    const button = layer.current;
    button?.focus({ preventScroll: true });
    // Only a non-passive listener can keep the wheel from scrolling the canvas.
    button?.addEventListener('wheel', onWheel, { passive: false });
    window.addEventListener('pointerdown', onPressElsewhere, { capture: true });
    return () => {
      // After cropping has ended, a drag in progress has no effect.
      gesture.current = null;
      button?.removeEventListener('wheel', onWheel);
      window.removeEventListener('pointerdown', onPressElsewhere, { capture: true });
    };
  }, []);

  const picture = (
    // biome-ignore lint/performance/noImgElement: Next does not optimize document images.
    <img
      src={image.src}
      {...(image.views && { srcSet: image.views.sources, sizes: `${width / part.w}px` })}
      alt=""
      draggable={false}
      style={{
        left: (-part.x / part.w) * width,
        top: (-part.y / part.h) * height,
        width: width / part.w,
        height: height / part.h,
      }}
    />
  );
  return (
    <>
      <VisuallyHidden id={help}>
        Arrow keys move the image, plus and minus zoom it. Enter applies the crop, Escape cancels it.
      </VisuallyHidden>
      <button
        ref={layer}
        type="button"
        className={classes.crop}
        data-crop=""
        aria-label={`Crop of ${elementLabel(element)}`}
        aria-describedby={help}
        style={{
          left: x * px,
          top: y * px,
          width,
          height,
          transform: rotation === 0 ? undefined : `rotate(${rotation}deg)`,
        }}
        onPointerDown={onPointerDown}
        onKeyDown={onKeyDown}
      >
        <span className={classes.cropRest}>{picture}</span>
        <span className={classes.cropShown}>{picture}</span>
      </button>
    </>
  );
}
