import { countOf } from '@/components/format/count';
import { asLine } from '@/lib/document/templates/parts';
import type { TemplateContent } from '@/lib/document/templates/template';
import { importMaterials, readSchedule, withPictures } from '../pickers/material-pick';
import type { HandedOver } from './add-to-document-dialog';

/** The content of a page, and a message for the user about what is missing, or null. */
type PageContent = { content: TemplateContent; note: string | null };

/** Reads the content of a page with images and, if wanted, the swatches of materials. */
export async function contentWithSwatches(
  projectId: string,
  { title, text, images, materials }: HandedOver,
  isWanted: boolean,
  signal: AbortSignal,
): Promise<PageContent> {
  const { picks, note } = await importMaterials(projectId, isWanted ? materials : [], signal);
  return { content: { title, text, images, materials: picks.map(({ material }) => material) }, note };
}

/** Reads the content of a page with an image, its prompt as the caption, and the schedule of its materials. */
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

/** Returns the message about materials of a schedule that the library does not have. */
export function missingMessage(count: number): string {
  return `${countOf(count, 'material is', 'materials are')} not in the library. The schedule shows only the names.`;
}
