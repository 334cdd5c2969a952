import sharp from 'sharp';

let profile: Promise<Uint8Array> | undefined;

async function makeProfile(): Promise<Uint8Array> {
  const pixel = { width: 1, height: 1, channels: 3 as const, background: '#000000' };
  const image = await sharp({ create: pixel }).withIccProfile('srgb').jpeg().toBuffer();
  const { icc } = await sharp(image).metadata();
  if (!icc) throw new Error('The image library has no sRGB profile.');
  return icc;
}

/** Returns an ICC profile of the sRGB color space. */
export function srgbProfile(): Promise<Uint8Array> {
  profile ??= makeProfile().catch((error: unknown) => {
    // Do not keep the rejected promise, so that the next call tries again.
    profile = undefined;
    throw error;
  });
  return profile;
}
