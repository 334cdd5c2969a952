import type { HandedOver } from '@/components/editor/handover/add-to-document-dialog';
import { pickOfVariant } from '@/components/editor/pickers/image-pick';
import { asLine } from '@/lib/document/templates/parts';
import type { ImageJob } from '@/lib/image-gen/schema';
import { materialsOf } from './prompt-materials';
import type { ShownVariant } from './runs';

/** Returns what to add to a document for a variant: its image, its prompt as text, and the materials of its prompt. */
export function handOver(
  settings: Pick<ImageJob, 'materialIds' | 'materialPayload'>,
  { variant, prompt, label }: ShownVariant,
): HandedOver {
  return {
    title: asLine(prompt, 60),
    text: prompt,
    images: [pickOfVariant(variant, prompt, `Image ${label}`)],
    materials: materialsOf(settings).map(({ id = '', name = id }) => ({ id, name })),
  };
}
