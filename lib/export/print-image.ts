import sharp from 'sharp';

export type PrintImage = { body: Uint8Array; contentType: 'image/jpeg' | 'image/png' };

/** Decoding more pixels than this is refused, whatever the file says of itself. */
const MAX_PIXELS = 64_000_000;

/**
 * An image as it is printed: upright, in sRGB, at most `width` pixels wide, JPEG but where it is transparent. Null when
 * the file cannot be read.
 */
export async function printImage(file: Uint8Array, width: number): Promise<PrintImage | null> {
  try {
    const image = sharp(file, { limitInputPixels: MAX_PIXELS });
    const { hasAlpha } = await image.metadata();
    const isOpaque = !hasAlpha || (await image.clone().stats()).isOpaque;
    const sized = image
      .autoOrient()
      .resize({ width: Math.max(1, Math.ceil(width)), withoutEnlargement: true })
      .toColourspace('srgb');
    return isOpaque
      ? { body: await sized.removeAlpha().jpeg({ quality: 82 }).toBuffer(), contentType: 'image/jpeg' }
      : { body: await sized.png().toBuffer(), contentType: 'image/png' };
  } catch {
    return null;
  }
}
