'use client';

import { useCallback } from 'react';
import { drawMarks, shownSize } from './draw-mask';
import type { Mark, MaskSize } from './mask-state';
import classes from './region.module.css';

const PAINT = '#e0559b';

/** Shows marks over their picture. The nearest positioned ancestor must cover exactly that picture. */
export function MaskCanvas({ marks, picture }: { marks: Mark[]; picture: MaskSize }) {
  const { width, height } = picture;
  const draw = useCallback(
    (canvas: HTMLCanvasElement | null) => {
      if (canvas) drawMarks(canvas, marks, { width, height }, PAINT);
    },
    [marks, width, height],
  );
  return <canvas ref={draw} {...shownSize(picture)} className={classes.mask} />;
}
