type Size = { width: number; height: number };
type Crop = { x: number; y: number; w: number; h: number };
/** Position and size in the same unit as the frame. The image may start outside the frame and be larger than it. */
export type PlacedImage = { left: number; top: number; width: number; height: number };

const whole: Crop = { x: 0, y: 0, w: 1, h: 1 };

/**
 * Returns the position and size of an image relative to its frame. The part inside the crop is centered in the frame.
 * With `cover`, this part fills the frame. With `contain`, it fits inside the frame.
 */
export function placeImage(
  frame: Size,
  image: Size,
  fit: 'cover' | 'contain',
  crop: Crop | null = null,
): PlacedImage {
  const part = crop ?? whole;
  const partWidth = image.width * part.w;
  const partHeight = image.height * part.h;
  const ratios = [frame.width / partWidth, frame.height / partHeight] as const;
  const scale = fit === 'cover' ? Math.max(...ratios) : Math.min(...ratios);
  return {
    left: (frame.width - partWidth * scale) / 2 - image.width * part.x * scale,
    top: (frame.height - partHeight * scale) / 2 - image.height * part.y * scale,
    width: image.width * scale,
    height: image.height * scale,
  };
}

/**
 * Returns the part of a frame to which an image must be clipped. The clipping hides what lies outside the crop of a
 * contained image.
 */
export function visibleFrame(
  frame: Size,
  image: Size,
  fit: 'cover' | 'contain',
  crop: Crop | null,
): PlacedImage {
  if (fit === 'cover' || !crop) return { left: 0, top: 0, ...frame };
  const scale = Math.min(frame.width / (image.width * crop.w), frame.height / (image.height * crop.h));
  const width = image.width * crop.w * scale;
  const height = image.height * crop.h * scale;
  return { left: (frame.width - width) / 2, top: (frame.height - height) / 2, width, height };
}
