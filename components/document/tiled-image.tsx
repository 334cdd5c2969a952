import type { DocumentImage } from '@/lib/document/page-model';
import type { Tiles } from '@/lib/document/true-scale';
import { exactBox } from './lengths';

type TiledImageProps = { tiles: Tiles; image: DocumentImage; alt: string };

/**
 * Renders an image that is repeated to fill its frame. Each tile is an image element, because Chromium recompresses
 * every pixel of a background image when printing. Only the first tile has alternative text.
 */
export function TiledImage({ tiles, image, alt }: TiledImageProps) {
  return (
    <div className="doc-image">
      {tiles.offsets.map(({ left, top }, index) => (
        // biome-ignore lint/performance/noImgElement: printed by a browser that runs no scripts.
        <img
          key={`${left} ${top}`}
          src={image.src}
          alt={index === 0 ? alt : ''}
          fetchPriority="low"
          style={exactBox({ left, top, width: tiles.width, height: tiles.height })}
        />
      ))}
    </div>
  );
}
