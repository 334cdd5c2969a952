import type { ShownVariant } from '@/components/studio/runs';
import type { GalleryImage } from '@/lib/image-gen/schema';

/** The label of an image in its conversation: `2.3` is the third image of the second prompt. */
export function labelOf({ ordinal, variant }: GalleryImage): string {
  return `${ordinal}.${variant.number}`;
}

/** An image of the gallery as the studio shows it. */
export function shownImage(image: GalleryImage): ShownVariant {
  const { variant, prompt, ordinal } = image;
  return { variant, key: variant.id, label: labelOf(image), prompt, ordinal };
}
