import type { ShapeElement } from '@/lib/document/page-model';
import { mm } from './lengths';

/** Renders a rectangle, an ellipse or a line. The stroke of a rectangle or an ellipse stays within the frame. */
export function ShapeView({ element }: { element: ShapeElement }) {
  const { kind, w, h, fill, stroke, strokeWidth, radius } = element;
  // A stroke half as wide as the shorter side already covers the whole frame. A wider stroke could make the width or
  // height of the shape zero or negative, and SVG does not draw such a shape.
  const thickness = kind === 'line' ? strokeWidth : Math.min(strokeWidth, w / 2, h / 2);
  const line = { stroke: stroke ?? 'none', strokeWidth: stroke ? thickness : 0 };
  const inset = stroke && kind !== 'line' ? thickness / 2 : 0;
  const width = w - 2 * inset;
  const height = h - 2 * inset;
  const paint = { ...line, fill: fill ?? 'none' };
  return (
    <svg
      className="doc-shape"
      style={{ width: mm(w), height: mm(h) }}
      viewBox={`0 0 ${w} ${h}`}
      aria-hidden="true"
    >
      {kind === 'rect' && <rect x={inset} y={inset} width={width} height={height} rx={radius} {...paint} />}
      {kind === 'ellipse' && <ellipse cx={w / 2} cy={h / 2} rx={width / 2} ry={height / 2} {...paint} />}
      {kind === 'line' && <line x1={0} y1={h / 2} x2={w} y2={h / 2} {...line} />}
    </svg>
  );
}
