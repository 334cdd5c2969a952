'use client';

import { Image } from '@mantine/core';
import type { Variant } from '@/lib/image-gen/schema';

type VariantImageProps = {
  variant: Variant;
  alt: string;
  /** The image itself instead of its thumbnail. */
  large?: boolean;
  className?: string;
  /** Told when the image does not load: its signed address may have run out. */
  onStale: () => void;
};

/** A variant's picture. It loads when it comes near the screen, and keeps its place until then. */
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
