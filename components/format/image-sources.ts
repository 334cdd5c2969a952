/** The usual length of a thumbnail's longer side, in pixels. The thumbnail of a smaller image is not enlarged. */
const THUMBNAIL_PX = 512;

/** Returns image props that let the browser load the full image where the thumbnail would look blurred. */
export function imageSources(image: { src: string; thumbnail: string; width: number; height: number }) {
  const { src, thumbnail, width, height } = image;
  const scale = Math.min(1, THUMBNAIL_PX / Math.max(width, height));
  return { src: thumbnail, srcSet: `${thumbnail} ${Math.round(width * scale)}w, ${src} ${width}w` };
}
