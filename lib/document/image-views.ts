import type { DocumentImages } from './page-model';

/** The widths in pixels of the smaller images that screens load instead of the originals. */
export const viewWidths = [320, 800, 1600, 3200] as const;
export type ViewWidth = (typeof viewWidths)[number];

/** Returns the path of an image of a project for the screen, by its key (see `imageKey`). */
export function imageViewPath(projectId: string, key: string, width: ViewWidth): string {
  return `/api/projects/${projectId}/pages/images?${new URLSearchParams({ key, width: String(width) })}`;
}

/** Returns a `srcset` with the widths up to the image's own. */
function sourcesOf(projectId: string, key: string, ownWidth: number): string {
  const last = viewWidths.findIndex((width) => width >= ownWidth);
  return viewWidths
    .slice(0, last < 0 ? undefined : last + 1)
    .map((width) => `${imageViewPath(projectId, key, width)} ${Math.min(width, ownWidth)}w`)
    .join(', ');
}

/**
 * Returns the images as screens load them: small, in sRGB, and not before they are visible. The originals can be large,
 * and browsers show CMYK differently from print.
 */
export function withViews(
  projectId: string,
  images: ReadonlyMap<string, { width: number; height: number }>,
): DocumentImages {
  return new Map(
    [...images].map(([key, { width, height }]) => [
      key,
      {
        src: imageViewPath(projectId, key, 1600),
        width,
        height,
        views: { sources: sourcesOf(projectId, key, width), scale: 1 },
      },
    ]),
  );
}

const scaled = new WeakMap<DocumentImages, Map<number, DocumentImages>>();

/**
 * Returns the images for a sheet that is shown at this scale, rounded up to a power of two, so that zooming in small
 * steps changes nothing. Returns the same map for the same arguments.
 */
export function viewsAtScale(images: DocumentImages, scale: number): DocumentImages {
  const step = 2 ** Math.ceil(Math.log2(scale));
  const cached = scaled.get(images) ?? new Map<number, DocumentImages>();
  scaled.set(images, cached);
  const found =
    cached.get(step) ??
    new Map(
      [...images].map(([key, image]) => [
        key,
        image.views ? { ...image, views: { ...image.views, scale: step } } : image,
      ]),
    );
  cached.set(step, found);
  return found;
}
