'use client';

import type { PageGuide } from '@/lib/document/page-model';
import { rounded } from '../geometry/frames';
import classes from './canvas.module.css';

type GuideLinesProps = {
  /** The guides of the open page or master. */
  guides: readonly PageGuide[];
  /** The guides of the page's master, which can be changed only in the master. */
  masterGuides: readonly PageGuide[];
  px: number;
  canEdit: boolean;
};

const positionOf = ({ axis, at }: PageGuide, px: number) =>
  axis === 'x' ? { left: at * px } : { top: at * px };

/**
 * Shows the guides on the canvas. If `canEdit` is true, the user can drag the guides of the open page or master, and
 * can change the focused guide with keys.
 */
export function GuideLines({ guides, masterGuides, px, canEdit }: GuideLinesProps) {
  return (
    <>
      {masterGuides.map((guide, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: guides have no id, and two can be in the same place.
          key={index}
          className={classes.masterGuide}
          data-axis={guide.axis}
          style={positionOf(guide, px)}
        />
      ))}
      {guides.map((guide, index) => (
        <button
          // biome-ignore lint/suspicious/noArrayIndexKey: guides have no id, and two can be in the same place.
          key={index}
          type="button"
          className={classes.guide}
          data-guide={index}
          data-axis={guide.axis}
          disabled={!canEdit}
          aria-label={`${guide.axis === 'x' ? 'Vertical' : 'Horizontal'} guide, ${rounded(guide.at)} mm`}
          tabIndex={-1}
          style={positionOf(guide, px)}
        />
      ))}
    </>
  );
}
