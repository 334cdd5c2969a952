import { SWATCH_PART } from '@/lib/document/image-uses';
import { type DocumentImage, imageKey, type MaterialElement } from '@/lib/document/page-model';
import { FramedImage } from './framed-image';
import { mm, pt } from './lengths';
import { fontProps } from './typography';

/** A material: its swatch or image, its title and its rows of facts. */
export function MaterialView({ element, image }: { element: MaterialElement; image?: DocumentImage }) {
  const { w, h, title, rows, swatch, font, fontSize, color } = element;
  const { className, style } = fontProps(font, 'doc-material');
  const height = h * SWATCH_PART;
  return (
    <div className={className} data-measured={element.id} style={{ ...style, fontSize: pt(fontSize), color }}>
      {imageKey(element) === null ? (
        <div style={{ height: mm(height), backgroundColor: swatch }} />
      ) : (
        <div style={{ height: mm(height) }}>
          <FramedImage width={w} height={height} image={image} fit="cover" alt={title} />
        </div>
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
