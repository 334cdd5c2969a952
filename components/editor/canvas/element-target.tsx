'use client';

import { memo } from 'react';
import type { PageElement } from '@/lib/document/page-model';
import { elementLabel, groupLabel } from '../element-labels';
import mark from '../overflow-mark.module.css';
import classes from './canvas.module.css';

type ElementTargetProps = {
  element: PageElement;
  /** CSS pixels per millimeter. */
  px: number;
  selected: boolean;
  /** True when the content does not fit the frame. */
  overflows: boolean;
  /** The number of elements in the element's group, or 1 if a click selects only the element. */
  groupSize: number;
  /** True for the only element on the page that is a Tab stop. */
  inTabOrder: boolean;
};

/**
 * Renders a transparent button over an element's frame, to select and focus the element. The canvas handles its events.
 */
export const ElementTarget = memo(function ElementTarget(props: ElementTargetProps) {
  const { element, px, selected, overflows, groupSize, inTabOrder } = props;
  const { id, x, y, w, h, z, rotation } = element;
  return (
    <button
      type="button"
      className={`${classes.target} ${mark.marked}`}
      data-target={id}
      aria-pressed={selected}
      data-overflows={overflows || undefined}
      aria-label={`${groupSize > 1 ? `${groupLabel(groupSize)}, ` : ''}${elementLabel(element)}${overflows ? '. The content does not fit' : ''}`}
      tabIndex={inTabOrder ? 0 : -1}
      style={{
        left: x * px,
        top: y * px,
        width: w * px,
        height: h * px,
        zIndex: z,
        transform: rotation === 0 ? undefined : `rotate(${rotation}deg)`,
      }}
    />
  );
});
