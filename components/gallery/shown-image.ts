import type { ShownVariant } from '@/components/studio/runs';
import type { GalleryImage } from '@/lib/image-gen/schema';

/** Returns the label of an image within its conversation: `2.3` is the third image of the second prompt. */
export function imageLabelOf({ ordinal, variant }: GalleryImage): string {
  return `${ordinal}.${variant.number}`;
}

/** Converts a gallery image to the form that the studio's components take. */
export function shownImage(image: GalleryImage): ShownVariant {
  const { variant, prompt, ordinal, createdBy } = image;
  return { variant, key: variant.id, label: imageLabelOf(image), prompt, ordinal, createdBy };
}
