import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import sharp from 'sharp';
import { type DerivativeFile, readDerivative } from './images/derivative-file';

export type PrintImage = { body: Uint8Array; contentType: 'image/jpeg' | 'image/png' };

const inflated = promisify(inflate);

/** Converts a derived image to a format for browsers: JPEG, or PNG if it is transparent. */
export async function printImage(file: DerivativeFile): Promise<PrintImage> {
  const jpeg = await buffer(readDerivative(file, 'jpeg'));
  if (file.maskBytes === 0) return { body: jpeg, contentType: 'image/jpeg' };
  const mask = await inflated(await buffer(readDerivative(file, 'mask')));
  const { width, height } = file;
  const body = await sharp(jpeg)
    .joinChannel(mask, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer();
  return { body, contentType: 'image/png' };
}
