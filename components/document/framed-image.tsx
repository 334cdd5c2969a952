import type { DocumentImage } from '@/lib/export/document/page-model';
import { placeImage, visibleFrame } from '@/lib/export/document/place-image';
import { mm } from './lengths';

type FramedImageProps = {
  /** Millimetres. */
  width: number;
  height: number;
  /** Undefined where a frame is empty or its image is gone. */
  image: DocumentImage | undefined;
  fit: 'cover' | 'contain';
  crop?: { x: number; y: number; w: number; h: number } | null;
  alt: string;
};

/** An image cut by a wrapper: with `object-fit` a browser decodes and repacks every pixel of it when it prints. */
export function FramedImage({ width, height, image, fit, crop = null, alt }: FramedImageProps) {
  if (!image) return <div className="doc-image doc-missing" />;
  const window = visibleFrame({ width, height }, image, fit, crop);
  const placed = placeImage({ width: window.width, height: window.height }, image, fit, crop);
  return (
    <div
      className="doc-image"
      style={{
        left: mm(window.left),
        top: mm(window.top),
        width: mm(window.width),
        height: mm(window.height),
      }}
    >
      {/* biome-ignore lint/performance/noImgElement: printed as it is, by a browser that runs no script. */}
      <img
        src={image.src}
        alt={alt}
        // For any other, React puts a link in the head that loads it ahead: where it has no file yet, in vain.
        fetchPriority="low"
        style={{
          left: mm(placed.left),
          top: mm(placed.top),
          width: mm(placed.width),
          height: mm(placed.height),
        }}
      />
    </div>
  );
}
