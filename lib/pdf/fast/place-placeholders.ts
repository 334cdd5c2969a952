import { imageUses } from '@/lib/document/image-uses';
import type { Sheet, SheetPlan } from '@/lib/document/sheets';
import { IMAGE_ORIGIN } from '../print-html';
import type { PrintedImages } from '../printed-images';
import { SpliceRefusal } from '../splice/chunk-pdf';
import { makePlaceholders } from '../splice/placeholder';
import { isSurelyPainted } from './surely-painted';

/** A part of a document, with placeholders in place of its images. */
export type PlacedHtml = {
  html: string;
  /** Names of the placeholders that the PDF must contain. */
  required: string[];
};

// React escapes quotes in text and attributes, so this only matches real attributes.
const SOURCE = new RegExp(`src="${IMAGE_ORIGIN.replaceAll('.', '\\.')}([^"]*)"`, 'g');

/** Returns the name of the image that replaces a placeholder. */
export function imageOfPlaceholder(placeholder: string): string {
  return placeholder.split('.')[0] ?? '';
}

/**
 * Replaces each image URL in the HTML that starts with `IMAGE_ORIGIN` with a placeholder. Each use of an image gets its
 * own placeholder, because Chromium would write a shared placeholder to the PDF once or several times, depending on
 * memory. Throws `SpliceRefusal` when the HTML does not contain the images of its sheets in the planned order.
 */
export async function placePlaceholders(
  html: string,
  sheets: Sheet[],
  plan: SheetPlan,
  images: PrintedImages,
): Promise<PlacedHtml> {
  const placeholder = await makePlaceholders();
  const made = images.images((name) => name);
  const uses = imageUses({ ...plan, sheets }).flatMap((use) => {
    const image = made.get(use.key);
    return image ? [{ use, image }] : [];
  });
  const required: string[] = [];
  let next = 0;
  const placed = html.replace(SOURCE, (_, name: string) => {
    const use = uses[next];
    if (use?.image.src !== name) throw new SpliceRefusal('The images are not in the planned order.');
    const own = `${name}.${use.use.sheet.number}.${next}`;
    next += 1;
    if (isSurelyPainted(use.use, use.image, plan)) required.push(own);
    return `src="${placeholder(own)}"`;
  });
  if (next !== uses.length) throw new SpliceRefusal('Not all images are rendered.');
  return { html: placed, required };
}
