import { SWATCH_PART } from '@/lib/document/image-uses';
import { type DocumentImage, imageKey, type MaterialElement } from '@/lib/document/page-model';
import { scaleBar, tilesOf } from '@/lib/document/true-scale';
import { FramedImage } from './framed-image';
import { mm, pt } from './lengths';
import { TiledImage } from './tiled-image';
import { fontProps } from './typography';

/** The height of a scale bar in millimeters. */
const SCALE_BAR_MM = 0.6;

/**
 * Renders a material: its swatch or image, its title and its rows of facts. An image that is tiled at true scale also
 * gets a scale bar.
 */
export function MaterialView({ element, image }: { element: MaterialElement; image?: DocumentImage }) {
  const { w, h, title, rows, swatch, font, fontSize, color, trueScale } = element;
  const { className, style } = fontProps(font, 'doc-material');
  const height = h * SWATCH_PART;
  const tiles = trueScale && image && tilesOf({ width: w, height }, trueScale);
  const bar = trueScale && tiles && scaleBar(w, trueScale);
  return (
    <div className={className} data-measured={element.id} style={{ ...style, fontSize: pt(fontSize), color }}>
      {imageKey(element) === null ? (
        <div style={{ height: mm(height), backgroundColor: swatch }} />
      ) : (
        <div style={{ height: mm(height) }}>
          {tiles && image ? (
            <TiledImage tiles={tiles} image={image} alt={title} />
          ) : (
            <FramedImage width={w} height={height} image={image} fit="cover" alt={title} />
          )}
        </div>
      )}
      {bar && (
        <p className="doc-scale">
          <svg
            className="doc-scale-bar"
            aria-hidden="true"
            style={{ width: mm(bar.length), height: mm(SCALE_BAR_MM) }}
          >
            {/* Use a shape, because browsers round the sizes of boxes to whole pixels, but not the sizes of shapes. */}
            <rect width={mm(bar.length)} height={mm(SCALE_BAR_MM)} fill={color} />
          </svg>
          {bar.label}
        </p>
      )}
      <p className="doc-material-title" dir="auto">
        {title}
      </p>
      {rows.length > 0 && (
        <dl>
          {rows.map(({ label, value }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows can be identical and are never reordered in place.
            <div key={index} style={{ display: 'contents' }}>
              <dt dir="auto">{label}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
