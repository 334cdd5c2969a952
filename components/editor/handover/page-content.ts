import { countOf } from '@/components/format/count';
import { asLine } from '@/lib/document/templates/parts';
import type { TemplateContent } from '@/lib/document/templates/template';
import { importMaterials, readSchedule, withPictures } from '../pickers/material-pick';
import type { HandedOver } from './add-to-document-dialog';

/** The content of a page. `note` is a message for the user about what is missing, or null. */
type PageContent = { content: TemplateContent; note: string | null };

/**
 * Returns page content with the title, text and images. If `isWanted` is true, also adds swatches of the materials and
 * copies the materials' images into the project.
 */
export async function contentWithSwatches(
  projectId: string,
  { title, text, images, materials }: HandedOver,
  isWanted: boolean,
  signal: AbortSignal,
): Promise<PageContent> {
  const { picks, note } = await importMaterials(projectId, isWanted ? materials : [], signal);
  return { content: { title, text, images, materials: picks.map(({ material }) => material) }, note };
}

/**
 * Returns page content with the images and a schedule of their materials. Each image gets `text` (the prompt) as its
 * caption.
 */
export async function contentWithSchedule(
  projectId: string,
  { title, text, images, materials }: HandedOver,
  signal: AbortSignal,
): Promise<PageContent> {
  const { rows, missing } = await readSchedule(materials, signal);
  const schedule = await withPictures(projectId, materials, rows, signal);
  const captioned = images.map((image) => ({ ...image, caption: asLine(text, 500) }));
  return {
    content: { title, text: '', images: captioned, materials: [], schedule },
    note: missing === 0 ? null : missingMessage(missing),
  };
}

/** Returns the message that `count` materials of a schedule are not in the library. */
export function missingMessage(count: number): string {
  return `${countOf(count, 'material is', 'materials are')} not in the library. The schedule shows only the names.`;
}
