import type { HandedOver } from '@/components/editor/handover/add-to-document-dialog';
import { pickOfVariant } from '@/components/editor/pickers/image-pick';
import { materialName, materialsOf } from '@/components/studio/prompt-materials';
import { runsOf } from '@/components/studio/runs';
import { readConversation } from '@/hooks/image-gen/image-gen-calls';
import { asLine } from '@/lib/document/templates/parts';
import type { GalleryImage } from '@/lib/image-gen/schema';
import { imageLabelOf } from './shown-image';

/**
 * Returns the input for adding an image to a document together with the materials of its prompt. If the image's
 * conversation cannot be read, throws what `callApi` throws.
 */
export async function handOverImage(image: GalleryImage): Promise<HandedOver> {
  const { job, messages, variants } = await readConversation(image.jobId, Number.POSITIVE_INFINITY);
  const run = runsOf(job, messages, variants).find(({ ordinal }) => ordinal === image.ordinal);
  const materials = materialsOf(run?.settings ?? job).map((material) => ({
    id: material.id ?? '',
    name: materialName(material),
  }));
  return { ...handOverImages([image]), materials, materialsAs: 'schedule' };
}

/** Returns the input for adding images to a document, with the prompt of the first image as the title and text. */
export function handOverImages(images: GalleryImage[]): HandedOver {
  return {
    title: asLine(images[0]?.prompt ?? '', 60),
    text: images[0]?.prompt ?? '',
    images: images.map((image) => pickOfVariant(image.variant, image.prompt, `Image ${imageLabelOf(image)}`)),
    materials: [],
  };
}
