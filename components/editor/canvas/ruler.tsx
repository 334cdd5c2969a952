'use client';

import { memo } from 'react';
import classes from './canvas.module.css';

/** Returns the smallest round step, at most 200 mm, that keeps ticks at least `apart` pixels apart. */
function stepFor(px: number, apart: number): number {
  return [1, 2, 5, 10, 20, 50, 100].find((step) => step * px >= apart) ?? 200;
}

type RulerProps = {
  axis: 'x' | 'y';
  lengthMm: number;
  px: number;
  inset: number;
  /** Whether a guide can be pulled from the ruler. */
  hasGuides?: boolean;
};

/** Shows a millimeter ruler along one side of the page. */
export const Ruler = memo(function Ruler({ axis, lengthMm, px, inset, hasGuides = false }: RulerProps) {
  const fine = stepFor(px, 4);
  const named = stepFor(px, 36);
  const count = Math.floor(lengthMm / fine);
  const ticks = Array.from({ length: count + 1 }, (_, index) => index * fine);
  const path = ticks
    .map((at) => {
      const size = at % named === 0 ? 16 : at % (fine * 5) === 0 ? 7 : 4;
      const position = Math.round(at * px) + 0.5;
      return axis === 'x' ? `M${position} 16v-${size}` : `M16 ${position}h-${size}`;
    })
    .join('');
  const length = lengthMm * px + 1;
  const [width, height] = axis === 'x' ? [length, 16] : [16, length];
  return (
    <div
      className={axis === 'x' ? classes.rulerTop : classes.rulerLeft}
      // A guide is parallel to the ruler that it is pulled from.
      data-new-guide={hasGuides ? { x: 'y', y: 'x' }[axis] : undefined}
      aria-hidden="true"
    >
      <svg
        width={width}
        height={height}
        style={axis === 'x' ? { marginInlineStart: inset } : { marginBlockStart: inset }}
      >
        <title>Millimeters</title>
        <path d={path} className={classes.tick} />
        {ticks
          .filter((at) => at % named === 0)
          .map((at) => {
            const position = Math.round(at * px);
            return (
              <text
                key={at}
                className={classes.tickLabel}
                {...(axis === 'x'
                  ? { x: position + 3, y: 8 }
                  : { x: 0, y: 0, transform: `translate(8 ${position + 3}) rotate(-90)`, textAnchor: 'end' })}
              >
                {at}
              </text>
            );
          })}
      </svg>
    </div>
  );
});
