import { imageUses } from '../document/image-uses';
import type { Sheet, SheetPlan } from '../document/sheets';
import { SpliceRefusal } from '../pdf/chunk-pdf';
import { placeholders } from '../pdf/placeholder';
import { IMAGE_ORIGIN } from '../print-html';
import type { PrintedImages } from '../printed-images';
import { isSurelyPainted } from './surely-painted';

/** Part of a document as it is printed in place of the real one. */
export type PlacedHtml = {
  html: string;
  /** Names of the placeholders that must come out in the PDF. */
  required: string[];
};

// Text and attributes have no quotes of their own in HTML that was written by React.
const SOURCE = new RegExp(`src="${IMAGE_ORIGIN.replaceAll('.', '\\.')}([^"]*)"`, 'g');

/** The name of the image that a placeholder stands for. */
export function imageOfPlaceholder(placeholder: string): string {
  return placeholder.split('.')[0] ?? '';
}

/**
 * Puts a placeholder where an image is shown, in HTML whose images have addresses below `IMAGE_ORIGIN`. Each place gets
 * one of its own: one and the same, Chromium writes once or several times, as its memory has it. Throws SpliceRefusal
 * when the HTML does not show the images of its sheets in their order.
 */
export async function placePlaceholders(
  html: string,
  sheets: Sheet[],
  plan: SheetPlan,
  images: PrintedImages,
): Promise<PlacedHtml> {
  const placeholder = await placeholders();
  const made = images.images((name) => name);
  const uses = imageUses({ ...plan, sheets }).flatMap((use) => {
    const image = made.get(use.key);
    return image ? [{ use, image }] : [];
  });
  const required: string[] = [];
  let next = 0;
  const placed = html.replace(SOURCE, (_, name: string) => {
    const place = uses[next];
    if (place?.image.src !== name) throw new SpliceRefusal('The images are not drawn as they were planned.');
    const own = `${name}.${place.use.sheet.number}.${next}`;
    next += 1;
    if (isSurelyPainted(place.use, place.image, plan)) required.push(own);
    return `src="${placeholder(own)}"`;
  });
  if (next !== uses.length) throw new SpliceRefusal('Not all images are drawn.');
  return { html: placed, required };
}
