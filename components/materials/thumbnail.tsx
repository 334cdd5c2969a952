'use client';

import { useState } from 'react';

type ThumbnailProps = { src: string; color?: string | null; lazy?: boolean; className?: string };

/**
 * Shows a picture, usually of a material, as decoration without alt text. Shows `color` while the picture loads, if it
 * cannot be loaded, and if `src` is empty.
 */
export function Thumbnail({ src, color, lazy = true, className }: ThumbnailProps) {
  const [broken, setBroken] = useState<string | null>(null);
  return (
    <span className={className} style={color ? { backgroundColor: color } : undefined}>
      {src !== '' && broken !== src && (
        // biome-ignore lint/performance/noImgElement: the library's CDN serves most of these in the right size.
        <img
          src={src}
          alt=""
          width={256}
          height={256}
          loading={lazy ? 'lazy' : 'eager'}
          decoding="async"
          draggable={false}
          onError={() => setBroken(src)}
        />
      )}
    </span>
  );
}
