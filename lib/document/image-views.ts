import type { DocumentImages } from './page-model';

/** The widths in pixels of the smaller images that screens load instead of the originals. */
export const viewWidths = [320, 800, 1600, 3200] as const;
export type ViewWidth = (typeof viewWidths)[number];

/** Returns the URL path of a smaller version of a project's image, for screens. `key` comes from `imageKey`. */
export function imageViewPath(projectId: string, key: string, width: ViewWidth): string {
  return `/api/projects/${projectId}/pages/images?${new URLSearchParams({ key, width: String(width) })}`;
}

/** Returns a `srcset` with all view widths up to the first one that is at least `ownWidth`. */
function sourcesOf(projectId: string, key: string, ownWidth: number): string {
  const last = viewWidths.findIndex((width) => width >= ownWidth);
  return viewWidths
    .slice(0, last < 0 ? undefined : last + 1)
    .map((width) => `${imageViewPath(projectId, key, width)} ${Math.min(width, ownWidth)}w`)
    .join(', ');
}

/**
 * Returns the images with the URLs of smaller sRGB versions for screens. Screens do not load the originals, because
 * these can be large and browsers show CMYK differently from print.
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
 * Returns the images for a sheet that is shown at the given scale. The scale is rounded up to a power of two, so that
 * most small zoom steps load no new images. Returns the same map for the same arguments.
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
