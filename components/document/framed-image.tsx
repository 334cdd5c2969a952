import type { DocumentImage } from '@/lib/document/page-model';
import { placeImage, visibleFrame } from '@/lib/document/place-image';
import { mm } from './lengths';

type FramedImageProps = {
  /** Width of the frame in millimeters. */
  width: number;
  /** Height of the frame in millimeters. */
  height: number;
  /** Undefined when the image does not exist. */
  image: DocumentImage | undefined;
  fit: 'cover' | 'contain';
  crop?: { x: number; y: number; w: number; h: number } | null;
  alt: string;
};

/**
 * Renders an image cropped by a wrapper element. Does not use `object-fit`, which makes Chromium decode and recompress
 * every pixel when printing.
 */
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
      {/* biome-ignore lint/performance/noImgElement: printed by a browser that runs no scripts. */}
      <img
        // `loading` takes effect only if it is set before the sources.
        {...(image.views && {
          loading: 'lazy',
          decoding: 'async',
          sizes: mm(placed.width * image.views.scale),
          srcSet: image.views.sources,
        })}
        src={image.src}
        alt={alt}
        // Prevents React from adding a preload link for the image. When a document is printed in parts, only the URLs
        // in `src` attributes are replaced with placeholders. A preload link would keep a URL that cannot be loaded.
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
