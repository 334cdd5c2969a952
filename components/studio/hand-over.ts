import type { HandedOver } from '@/components/editor/handover/add-to-document-dialog';
import { pickOfVariant } from '@/components/editor/pickers/image-pick';
import { asLine } from '@/lib/document/templates/parts';
import { materialName, materialsOf } from './prompt-materials';
import type { PromptSettings } from './refine-draft';
import type { ShownVariant } from './runs';

/**
 * Returns what a variant contributes to a document: the image, its prompt, and the prompt's materials. The prompt is
 * the text and, shortened to one line, the title.
 */
export function handOver(
  settings: Pick<PromptSettings, 'materialIds' | 'materialPayload'>,
  { variant, prompt, label }: ShownVariant,
): HandedOver {
  return {
    title: asLine(prompt, 60),
    text: prompt,
    images: [pickOfVariant(variant, prompt, `Image ${label}`)],
    materials: materialsOf(settings).map((material) => ({
      id: material.id ?? '',
      name: materialName(material),
    })),
  };
}
