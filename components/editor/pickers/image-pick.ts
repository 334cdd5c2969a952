import {
  type DocumentImage,
  type DocumentImages,
  type ImageSource,
  imageKey,
} from '@/lib/export/document/page-model';
import { asLine } from '@/lib/export/document/templates/parts';
import type { TemplateImage } from '@/lib/export/document/templates/template';
import type { Variant } from '@/lib/image-gen/schema';
import type { ProjectImage } from '@/lib/projects/schema';

/** An image that was chosen for a document, its size in pixels, with addresses to show it from. */
export type ImagePick = TemplateImage & {
  /** Null when storage could not give one just now. */
  url: string | null;
  thumbUrl: string | null;
  /** As a person tells it from others. */
  label: string;
};

/** `Lobby-2.final.png` as words. */
function nameInWords(fileName: string): string {
  return asLine(fileName.replace(/\.[A-Za-z0-9]{1,5}$/, '').replace(/[_-]+/g, ' '), 500);
}

/** An uploaded image of the project. */
export function pickOfImage({ id, url, width, height, fileName }: ProjectImage): ImagePick {
  const alt = nameInWords(fileName);
  return { imageId: id, path: null, width, height, alt, url, thumbUrl: url, label: fileName };
}

/** An image that a job of the studio has made. */
export function pickOfVariant(
  { path, width, height, url, thumb_url }: Variant,
  prompt: string,
  label: string,
): ImagePick {
  const alt = asLine(prompt, 500);
  return { imageId: null, path, width, height, alt, url, thumbUrl: thumb_url ?? url, label };
}

/** What was picked, as the renderer looks images up. One without an address is left out. */
export function imagesOfPicks(
  picks: readonly (ImageSource & { url: string | null; width: number; height: number })[],
): DocumentImages {
  return new Map(
    picks.flatMap((pick): [string, DocumentImage][] => {
      const key = imageKey(pick);
      const { url: src, width, height } = pick;
      return key !== null && src !== null ? [[key, { src, width, height }]] : [];
    }),
  );
}
