import { memo } from 'react';
import { cjkLanguage } from '@/lib/document/font-families';
import { type DocumentImages, imageKey, type PageElement } from '@/lib/document/page-model';
import { elementTexts } from '@/lib/document/sheet-texts';
import { FramedImage } from './framed-image';
import { mm } from './lengths';
import { MaterialView } from './material-view';
import { ShapeView } from './shape-view';
import { TableView } from './table-view';
import { TextView } from './text-view';

type ElementViewProps = { element: PageElement; images: DocumentImages };

// These properties do not affect an element's content. When they change, for example while the element is dragged, the
// content is not re-rendered.
const outside: ReadonlySet<string> = new Set(['x', 'y', 'z', 'rotation', 'name', 'locked']);
/**
 * Returns whether the content of an element looks the same as before. Compares the properties of both versions of the
 * element, because one version may lack an optional property such as `bold`, for example after an undo.
 */
export function looksTheSame(before: ElementViewProps, after: ElementViewProps): boolean {
  if (before.images !== after.images || before.element.type !== after.element.type) return false;
  const old: Record<string, unknown> = before.element;
  const next: Record<string, unknown> = after.element;
  return Object.keys({ ...old, ...next }).every((key) => outside.has(key) || old[key] === next[key]);
}

const ElementContent = memo(function ElementContent({ element, images }: ElementViewProps) {
  switch (element.type) {
    case 'text':
      return <TextView element={element} />;
    case 'image': {
      const { w: width, h: height, fit, crop, alt } = element;
      const key = imageKey(element);
      if (key === null) return <div className="doc-image doc-missing doc-empty" />;
      const image = images.get(key);
      return <FramedImage width={width} height={height} image={image} fit={fit} crop={crop} alt={alt} />;
    }
    case 'material':
      return <MaterialView element={element} image={images.get(imageKey(element) ?? '')} />;
    case 'table':
      return <TableView element={element} images={images} />;
    case 'shape':
      return <ShapeView element={element} />;
  }
}, looksTheSame);

/** Renders one positioned element. Re-renders only when the element or the images change. */
export const ElementView = memo(function ElementView({ element, images }: ElementViewProps) {
  const { x, y, w, h, z, rotation } = element;
  const text = elementTexts(element).map((item) => item.text);
  return (
    <div
      className="doc-element"
      data-element={element.id}
      lang={cjkLanguage(text.join(' '))}
      style={{
        left: mm(x),
        top: mm(y),
        width: mm(w),
        height: mm(h),
        zIndex: z,
        transform: rotation === 0 ? undefined : `rotate(${rotation}deg)`,
      }}
    >
      <ElementContent element={element} images={images} />
    </div>
  );
});
