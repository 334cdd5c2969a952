'use client';

import { Image } from '@mantine/core';
import type { Variant } from '@/lib/image-gen/schema';

type VariantImageProps = {
  variant: Variant;
  alt: string;
  /** Whether to show the image at full size instead of its thumbnail. */
  large?: boolean;
  className?: string;
  /** Called when the image does not load, because its signed URL may have expired. */
  onStale: () => void;
};

/** The image of a variant. Thumbnails load when they come near the viewport; their space is reserved until then. */
export function VariantImage({ variant, alt, large, className, onStale }: VariantImageProps) {
  const src = large ? variant.url : (variant.thumb_url ?? variant.url);
  return (
    <Image
      src={src ?? undefined}
      alt={alt}
      width={variant.width}
      height={variant.height}
      h={large ? undefined : 'auto'}
      loading={large ? 'eager' : 'lazy'}
      decoding="async"
      className={className}
      onError={onStale}
    />
  );
}
