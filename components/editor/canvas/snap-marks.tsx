import type { Dragged } from '../geometry/drag';
import { rounded } from '../geometry/frames';
import classes from './canvas.module.css';

type SnapMarksProps = Omit<Dragged, 'frames'> & { px: number };

/** Shows the lines that a drag has snapped to, and the equal gaps with their sizes. */
export function SnapMarks({ marks, gaps, px }: SnapMarksProps) {
  return (
    <>
      {marks.map(({ axis, at }) => (
        <div
          key={`${axis}${at}`}
          className={axis === 'x' ? classes.markX : classes.markY}
          style={axis === 'x' ? { left: at * px } : { top: at * px }}
        />
      ))}
      {gaps.map(({ axis, from, to, across }) => (
        <div
          key={`${axis}${from} ${across}`}
          className={classes.gap}
          data-axis={axis}
          style={
            axis === 'x'
              ? { left: from * px, width: (to - from) * px, top: across * px }
              : { top: from * px, height: (to - from) * px, left: across * px }
          }
        >
          <span className={classes.gapSize}>{rounded(to - from)} mm</span>
        </div>
      ))}
    </>
  );
}
