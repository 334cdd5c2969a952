import type { HandedOver } from '@/components/editor/handover/add-to-document-dialog';
import { pickOfVariant } from '@/components/editor/pickers/image-pick';
import { asLine } from '@/lib/document/templates/parts';
import type { GalleryImage } from '@/lib/image-gen/schema';
import { labelOf } from './shown-image';

/** Returns the input for adding images to a document, with the prompt of the first image as the title and text. */
export function handOverImages(images: GalleryImage[]): HandedOver {
  return {
    title: asLine(images[0]?.prompt ?? '', 60),
    text: images[0]?.prompt ?? '',
    images: images.map((image) => pickOfVariant(image.variant, image.prompt, `Image ${labelOf(image)}`)),
    materials: [],
  };
}
