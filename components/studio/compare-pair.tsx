'use client';

import { useState } from 'react';
import classes from './lightbox.module.css';
import type { ShownVariant } from './runs';
import { VariantImage } from './variant-image';

export type Pair = [ShownVariant, ShownVariant];

type ComparePairProps = {
  pair: Pair;
  onStale: () => void;
};

/** Overlays two images, with a slider that is moved by mouse, touch or arrow keys. */
export function ComparePair({ pair: [left, right], onStale }: ComparePairProps) {
  const [percent, setPercent] = useState(50);
  const { width, height } = left.variant;
  return (
    <div
      className={classes.pair}
      style={{
        aspectRatio: `${width} / ${height}`,
        width: `min(100%, calc(var(--pair-height) * ${width / height}))`,
      }}
    >
      <VariantImage variant={right.variant} alt={`Image ${right.label}`} large onStale={onStale} />
      <div className={classes.left} style={{ clipPath: `inset(0 ${100 - percent}% 0 0)` }}>
        <VariantImage variant={left.variant} alt={`Image ${left.label}`} large onStale={onStale} />
      </div>
      <span className={classes.tag} style={{ insetInlineStart: '0.5rem' }}>
        {left.label}
      </span>
      <span className={classes.tag} style={{ insetInlineEnd: '0.5rem' }}>
        {right.label}
      </span>
      <span className={classes.line} style={{ insetInlineStart: `${percent}%` }} />
      <input
        type="range"
        min={0}
        max={100}
        value={percent}
        aria-label="Comparison slider"
        aria-valuetext={`${percent} % of image ${left.label}`}
        className={classes.over}
        data-autofocus
        onChange={(event) => setPercent(Number(event.currentTarget.value))}
      />
    </div>
  );
}
