import {
  type DocumentImage,
  type DocumentImages,
  type ImageSource,
  imageKey,
} from '@/lib/document/page-model';
import { asLine } from '@/lib/document/templates/parts';
import type { TemplateImage } from '@/lib/document/templates/template';
import type { Variant } from '@/lib/image-gen/schema';
import type { ProjectImage } from '@/lib/projects/schema';

/** An image chosen for a document, with its size in pixels and its URLs. */
export type ImagePick = TemplateImage & {
  /** Null if storage could not sign a URL. */
  url: string | null;
  thumbUrl: string | null;
  /** The name shown to the user. */
  label: string;
};

/** Returns an uploaded image as a pick. It has no alt text, because a file name does not describe an image. */
export function pickOfImage({ id, url, width, height, fileName }: ProjectImage): ImagePick {
  return { imageId: id, path: null, width, height, alt: '', url, thumbUrl: url, label: fileName };
}

/** Returns an image generated in the studio as a pick, with its prompt as alt text. */
export function pickOfVariant(
  { path, width, height, url, thumb_url }: Variant,
  prompt: string,
  label: string,
): ImagePick {
  const alt = asLine(prompt, 500);
  return { imageId: null, path, width, height, alt, url, thumbUrl: thumb_url ?? url, label };
}

/** Returns a map from image keys to the picked images, for the renderer. Leaves out images without a URL. */
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
