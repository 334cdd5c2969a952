'use client';

import { Modal, Text } from '@mantine/core';
import { useState } from 'react';
import classes from './lightbox.module.css';
import type { ShownVariant } from './runs';
import { VariantImage } from './variant-image';

type CompareDialogProps = {
  pair: [ShownVariant, ShownVariant] | null;
  onClose: () => void;
  onStale: () => void;
};

/** Compares two images with a slider that is moved by mouse, touch or arrow keys. */
export function CompareDialog({ pair, onClose, onStale }: CompareDialogProps) {
  const [percent, setPercent] = useState(50);
  return (
    <Modal
      opened={pair !== null}
      onClose={onClose}
      onExitTransitionEnd={() => setPercent(50)}
      size="xl"
      title={pair ? `Images ${pair[0].label} and ${pair[1].label}` : ''}
    >
      {pair && <Pair pair={pair} percent={percent} onChange={setPercent} onStale={onStale} />}
    </Modal>
  );
}

type PairProps = {
  pair: [ShownVariant, ShownVariant];
  percent: number;
  onChange: (percent: number) => void;
  onStale: () => void;
};

function Pair({ pair: [left, right], percent, onChange, onStale }: PairProps) {
  const { width, height } = left.variant;
  return (
    <>
      <div
        className={classes.pair}
        style={{ aspectRatio: `${width} / ${height}`, width: `min(100%, calc(70dvh * ${width / height}))` }}
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
          onChange={(event) => onChange(Number(event.currentTarget.value))}
        />
      </div>
      <Text size="sm" c="dimmed" mt="sm" ta="center">
        Drag over the images, or use the arrow keys.
      </Text>
    </>
  );
}
