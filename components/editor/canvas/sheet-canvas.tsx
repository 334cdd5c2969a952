'use client';

import type { FrontSheet } from '@/lib/document/sheets';
import { usePageSize } from '../use-editor';
import classes from './canvas.module.css';
import { SheetPaper } from './paper';
import { Ruler } from './ruler';
import { useWheelZoom } from './use-wheel-zoom';
import type { ZoomView } from './use-zoom';

type SheetCanvasProps = { sheet: FrontSheet; view: ZoomView };

/**
 * Shows the cover or a contents sheet as printed. These sheets have no elements of their own; fields in the settings
 * panel set their texts and appearance.
 */
export function SheetCanvas({ sheet, view }: SheetCanvasProps) {
  const size = usePageSize();
  const { px, scale, inset, paper, measure, zoomAt } = view;
  useWheelZoom(paper, zoomAt);
  return (
    <section
      ref={measure}
      className={classes.desk}
      data-desk=""
      aria-label={`${sheet.kind === 'cover' ? 'Cover' : 'Contents'}, page ${sheet.number}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the canvas scrolls.
      tabIndex={0}
    >
      <Ruler axis="x" lengthMm={size.width} px={px} inset={inset.x} />
      <Ruler axis="y" lengthMm={size.height} px={px} inset={inset.y} />
      <div className={classes.room} style={{ padding: `${inset.y}px ${inset.x}px` }}>
        <div
          ref={paper}
          className={classes.page}
          style={{ width: size.width * px, height: size.height * px }}
        >
          <SheetPaper sheet={sheet} size={size} scale={scale} />
        </div>
      </div>
    </section>
  );
}
