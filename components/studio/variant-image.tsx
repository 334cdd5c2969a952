'use client';

import { Image } from '@mantine/core';
import { imageSources } from '@/components/format/image-sources';
import type { Variant } from '@/lib/image-gen/schema';

type VariantImageProps = {
  variant: Variant;
  alt: string;
  /** Whether to show the image at full size instead of its thumbnail. */
  large?: boolean;
  /**
   * Whether the image can be shown wider than its thumbnail. If the thumbnail would look blurred at that width, the
   * browser loads the full-size file instead.
   */
  fluid?: boolean;
  className?: string;
  /** Called when the image does not load. Its signed URL may have expired. */
  onStale: () => void;
};

/** Shows a variant's image. Thumbnails load when they come near the viewport; their space is reserved until then. */
export function VariantImage({ variant, alt, large, fluid, className, onStale }: VariantImageProps) {
  const { url, thumb_url, width, height } = variant;
  const src = large ? url : (thumb_url ?? url);
  const isFluid = fluid && url && thumb_url && width && height;
  return (
    <Image
      src={src ?? undefined}
      // Browsers that do not support `auto` use the second value.
      {...(isFluid && {
        ...imageSources({ src: url, thumbnail: thumb_url, width, height }),
        sizes: 'auto, 24rem',
      })}
      alt={alt}
      width={width}
      height={height}
      h={large ? undefined : 'auto'}
      loading={large ? 'eager' : 'lazy'}
      decoding="async"
      className={className}
      onError={onStale}
    />
  );
}
