'use client';

import { useId } from 'react';
import { sizePresets } from './option-draft';
import classes from './size-choices.module.css';

/** The longer side of a drawn shape, in rem. */
const LONG_SIDE = 1.75;

/** Draws the aspect ratio of a size like `1536x1024`. Other values get a dashed square, which stands for any shape. */
function SizeShape({ size }: { size: string }) {
  const [width = 0, height = 0] = size.split('x').map(Number);
  const isKnown = width > 0 && height > 0;
  const scale = LONG_SIDE / Math.max(width, height);
  const side = `${LONG_SIDE * 0.8}rem`;
  return (
    <span className={classes.room} aria-hidden="true">
      <span
        className={classes.shape}
        data-any={!isKnown || undefined}
        style={
          isKnown
            ? { width: `${width * scale}rem`, height: `${height * scale}rem` }
            : { width: side, height: side }
        }
      />
    </span>
  );
}

type SizeChoicesProps = { value: string; onChange: (value: string) => void };

/** Shows the sizes to choose from as radio buttons, each with its shape. */
export function SizeChoices({ value, onChange }: SizeChoicesProps) {
  const name = useId();
  return (
    <fieldset className={classes.sizes}>
      <legend className={classes.legend}>Size</legend>
      {sizePresets.map(({ value: size, label, hint }) => (
        <label key={size} className={classes.size}>
          <input
            type="radio"
            name={name}
            value={size}
            checked={size === value}
            data-autofocus={size === value || undefined}
            onChange={() => onChange(size)}
          />
          <SizeShape size={size} />
          <span>{label}</span> <span className={classes.hint}>{hint}</span>
        </label>
      ))}
    </fieldset>
  );
}
