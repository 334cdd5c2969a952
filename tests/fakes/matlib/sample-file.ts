import { drawPicture } from '@/tests/fakes/matlib/draw-picture';
import type { FakeAsset } from '@/tests/fakes/matlib/make-library';

const SIDE = 512;
const HDR_WIDTH = 64;

export type SampleFile = { bytes: Uint8Array<ArrayBuffer>; contentType: string };

/** Makes an uncompressed Radiance image: a text header, then red, green, blue and a shared exponent for each pixel. */
async function radiance(asset: FakeAsset): Promise<Uint8Array<ArrayBuffer>> {
  const picture = await drawPicture(asset, HDR_WIDTH);
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  const head = `#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y ${info.height} +X ${info.width}\n`;
  const points = Array.from({ length: info.width * info.height }, (_, i) => [
    ...data.subarray(i * 3, i * 3 + 3),
    128,
  ]);
  return Buffer.from([...Buffer.from(head), ...points.flat()]);
}

/**
 * Draws a texture map according to its file name: a normal map in blue, maps such as roughness in gray, and all others
 * in color.
 */
async function mapPicture(asset: FakeAsset, fileName: string) {
  const picture = await drawPicture(asset, SIDE);
  // Remove the id of the asset, because it can contain the name of a map, as in `dark_metal_sheet`.
  const map = fileName.replace(asset.id, '');
  if (/_nor|_normal/.test(map)) return picture.greyscale().tint({ r: 128, g: 128, b: 255 });
  return /_(rough|ao|disp|arm|metal|spec|bump|mask)/i.test(map) ? picture.greyscale() : picture;
}

/**
 * Makes a small file in place of a large one: an image for `jpg`, `png` and `hdr`, an empty scene for `gltf`, and a
 * line of text for any other extension.
 */
export async function makeSampleFile(asset: FakeAsset, fileName: string): Promise<SampleFile> {
  const format = fileName.slice(fileName.lastIndexOf('.') + 1);
  switch (format) {
    case 'jpg': {
      const picture = (await mapPicture(asset, fileName)).flatten({ background: '#ffffff' });
      return {
        bytes: Buffer.from(await picture.jpeg({ quality: 82 }).toBuffer()),
        contentType: 'image/jpeg',
      };
    }
    case 'png':
      return {
        bytes: Buffer.from(await (await mapPicture(asset, fileName)).png().toBuffer()),
        contentType: 'image/png',
      };
    case 'hdr':
      return { bytes: await radiance(asset), contentType: 'image/vnd.radiance' };
    case 'gltf':
      return { bytes: Buffer.from('{"asset":{"version":"2.0"}}'), contentType: 'model/gltf+json' };
    default:
      return {
        bytes: Buffer.from(`A sample in place of ${fileName}.\n`),
        contentType: 'application/octet-stream',
      };
  }
}

/** Makes a thumbnail, as WebP if `format` is `webp`, otherwise as PNG. */
export async function makeThumbnail(
  asset: FakeAsset,
  size: number,
  format: string | null,
): Promise<SampleFile> {
  const picture = await drawPicture(asset, size);
  return format === 'webp'
    ? { bytes: Buffer.from(await picture.webp({ quality: 80 }).toBuffer()), contentType: 'image/webp' }
    : { bytes: Buffer.from(await picture.png().toBuffer()), contentType: 'image/png' };
}
