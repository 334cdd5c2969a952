import type { HandedOver } from '@/components/editor/handover/add-to-document-dialog';
import { pickOfVariant } from '@/components/editor/pickers/image-pick';
import { asLine } from '@/lib/document/templates/parts';
import type { ImageJob } from '@/lib/image-gen/schema';
import type { ShownVariant } from './runs';

/** Returns what to add to a document for a variant: its image, its prompt as text, and its job's materials. */
export function handOver(
  { materialIds, materialPayload }: Pick<ImageJob, 'materialIds' | 'materialPayload'>,
  { variant, prompt, label }: ShownVariant,
): HandedOver {
  const named = materialPayload.map(({ id = '', name = id }) => ({ id, name }));
  const others = materialIds.filter((id) => !named.some((material) => material.id === id));
  return {
    title: asLine(prompt, 60),
    text: prompt,
    images: [pickOfVariant(variant, prompt, `Image ${label}`)],
    materials: [...named, ...others.map((id) => ({ id, name: id }))].filter(({ name }) => name !== ''),
  };
}
