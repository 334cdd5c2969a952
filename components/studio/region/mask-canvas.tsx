'use client';

import { useEffect, useRef } from 'react';
import { drawMarks, shownSize } from './draw-mask';
import type { Mark, Size } from './mask-state';
import classes from './region.module.css';

const PAINT = '#e0559b';

/** Shows marks over the picture that they belong to, which must be the nearest positioned ancestor. */
export function MaskCanvas({ marks, picture }: { marks: Mark[]; picture: Size }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = picture;
  useEffect(() => {
    if (canvas.current) drawMarks(canvas.current, marks, { width, height }, PAINT);
  }, [marks, width, height]);
  return <canvas ref={canvas} {...shownSize(picture)} className={classes.mask} />;
}
