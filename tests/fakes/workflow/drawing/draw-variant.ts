import sharp, { type Sharp } from 'sharp';
import { furnish } from '@/tests/fakes/workflow/drawing/furniture';
import { drawLabels } from '@/tests/fakes/workflow/drawing/labels';
import { choosePalette, hsl, moodOf } from '@/tests/fakes/workflow/drawing/palette';
import { between, type Rolls, rollsFrom } from '@/tests/fakes/workflow/drawing/rolls';
import { drawRoom, gradients } from '@/tests/fakes/workflow/drawing/room';
import { rect, svgDocument } from '@/tests/fakes/workflow/drawing/shapes';
import { materialSurface, swapMaterial, swapOf } from '@/tests/fakes/workflow/drawing/swap';
import { toneMatrix } from '@/tests/fakes/workflow/drawing/tone';

export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp';
export type Drawing = {
  prompt: string;
  seed: number;
  run: number;
  /** In pixels. */
  width: number;
  height: number;
  /** Ids or names of materials. Each gets a swatch, unless there is a parent or a masked input. */
  materials: string[];
  /** The encoded image to refine. If null, a new room is drawn or the input is repainted. */
  parent: Buffer | null;
  /**
   * An encoded image to hang on the wall, with two exceptions. If there is no parent, a mask or a material swap
   * repaints this image instead. If there are both a parent and a mask, this image is not used.
   */
  input: Buffer | null;
  /** An encoded image that is white where the parent is to be repainted. Without a parent, the input is repainted. */
  mask: Buffer | null;
};

const THUMB_SIDE = 320;
// In pixels. Compositing holds whole layers in memory, so larger images are drawn smaller and then enlarged. The limit
// does not apply to images that are repainted through a mask.
const LARGEST_CANVAS = 2_400_000;

/** Draws one image. Equal arguments yield equal bytes. */
export async function drawVariant(drawing: Drawing, type: ImageType): Promise<Buffer> {
  const { width, height, parent, input, mask } = drawing;
  const base = parent ?? input;
  if (base && mask) return encode(await paintRegion(drawing, base, mask), type);
  const shrink = Math.sqrt(LARGEST_CANVAS / (width * height));
  if (shrink >= 1) return encode(await paint(drawing), type);
  const [w, h] = [Math.round(width * shrink), Math.round(height * shrink)];
  const small = await encode(await paint({ ...drawing, width: w, height: h }), 'image/png');
  return encode(sharp(small).resize(width, height, { fit: 'fill' }), type);
}

async function paint(drawing: Drawing): Promise<Sharp> {
  const { prompt, seed, run, width, height, materials, parent, input } = drawing;
  const swap = swapOf(prompt);
  if (swap && input && !parent) return swapMaterial(input, swap, drawing);
  const roll = rollsFrom(prompt, seed);
  const text = parent ? `run ${run}: ${prompt}` : prompt;
  // A refined image already shows its parent's swatches, so draw no more of them.
  const labels = svgDocument(width, height, drawLabels(width, height, text, parent ? [] : materials));
  const base = parent ? refine(parent, drawing, roll) : newRoom(drawing, roll);
  const hung = input ? [await hang(input, width, height)] : [];
  const over = parent ? [{ input: changes(drawing, roll) }] : [];
  return base.composite([...over, ...hung, { input: labels }]).removeAlpha();
}

/**
 * Paints over the image where the mask is white: with the new material if the prompt asks for a swap and there is no
 * parent, otherwise with a new room.
 */
async function paintRegion(drawing: Drawing, base: Buffer, mask: Buffer): Promise<Sharp> {
  const { prompt, width, height, materials, parent } = drawing;
  const fit = { fit: 'fill' } as const;
  const swap = parent ? null : swapOf(prompt);
  const paint = swap ? sharp(materialSurface(swap, materials, { width, height })) : tintedRoom(drawing);
  const painted = await paint.removeAlpha().png({ compressionLevel: 1 }).toBuffer();
  const alpha = await sharp(mask).resize(width, height, fit).extractChannel(0).raw().toBuffer();
  const region = await sharp(painted)
    .joinChannel(alpha, { raw: { width, height, channels: 1 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return sharp(base)
    .resize(width, height, fit)
    .composite([{ input: region }])
    .removeAlpha();
}

/** Draws a new room with a wash of color, so that a painted region stands out from the rest of the image. */
function tintedRoom(drawing: Drawing): Sharp {
  const { prompt, seed, width, height } = drawing;
  const hue = moodOf(prompt).hue ?? rollsFrom(prompt, seed)() * 360;
  const wash = svgDocument(width, height, rect(0, 0, width, height, hsl(hue, 75, 50), 'fill-opacity=".5"'));
  return newRoom(drawing, rollsFrom(prompt, seed)).composite([{ input: wash }]);
}

/** Makes a thumbnail of an image, as WebP. */
export async function drawThumb(picture: Buffer): Promise<Buffer> {
  return encode(
    sharp(picture).resize(THUMB_SIDE, THUMB_SIDE, { fit: 'inside', withoutEnlargement: true }),
    'image/webp',
  );
}

function newRoom({ prompt, width, height }: Drawing, roll: Rolls) {
  const colors = choosePalette(moodOf(prompt), roll);
  return sharp(svgDocument(width, height, gradients(colors) + drawRoom(width, height, colors, roll)));
}

/** Zooms slightly into the parent and adjusts its colors to the mood of the prompt. */
function refine(parent: Buffer, { prompt, width, height }: Drawing, roll: Rolls) {
  const mood = moodOf(prompt);
  const zoom = between(roll, 1.03, 1.12);
  const [w, h] = [Math.ceil(width * zoom), Math.ceil(height * zoom)];
  const left = Math.floor((w - width) * roll());
  const top = Math.floor((h - height) * roll());
  const brightness = 1 + mood.light * 0.18 + between(roll, -0.05, 0.05);
  const turn = mood.hue === null ? between(roll, -50, 50) : between(roll, -8, 8);
  return sharp(parent)
    .resize(w, h, { fit: 'cover' })
    .extract({ left, top, width, height })
    .recomb(toneMatrix(brightness, between(roll, 0.85, 1.2), turn));
}

/**
 * Draws what the prompt adds to the parent image: a wash of color, another piece of furniture and, unless the mood is
 * dark, a glow.
 */
function changes({ prompt, width, height }: Drawing, roll: Rolls): Buffer {
  const mood = moodOf(prompt);
  const colors = choosePalette(mood, roll);
  const wash = rect(0, 0, width, height, hsl(mood.hue ?? roll() * 360, 75, 55), 'fill-opacity=".16"');
  const left = width * (roll() - 0.5);
  const light = mood.light < 0 ? '' : rect(left, height * -0.4, width, height * 1.2, 'url(#glow)');
  const piece = furnish({ width, height, horizon: height * 0.6, colors }, 1, roll);
  return svgDocument(width, height, gradients(colors) + wash + light + piece);
}

/**
 * Frames an image and places it on the wall. The position does not depend on the prompt. If the parent of a refinement
 * already shows the image on its wall, the new copy therefore covers most of the old copy.
 */
async function hang(input: Buffer, width: number, height: number) {
  const [w, h] = [Math.round(width * 0.36), Math.round(height * 0.3)];
  const edge = Math.max(Math.round(Math.min(w, h) / 24), 1);
  const picture = await sharp(input)
    .resize(w, h, { fit: 'cover' })
    .extend({ top: edge, bottom: edge, left: edge, right: edge, background: '#2b2420' })
    .png({ compressionLevel: 1 })
    .toBuffer();
  const left = Math.floor((width - w - edge * 2) * between(rollsFrom('hang', input.length), 0.1, 0.9));
  return { input: picture, left, top: Math.floor(height * 0.16) };
}

function encode(picture: Sharp, type: ImageType): Promise<Buffer> {
  switch (type) {
    case 'image/png':
      return picture.png({ compressionLevel: 4 }).toBuffer();
    case 'image/jpeg':
      return picture.jpeg({ quality: 86 }).toBuffer();
    case 'image/webp':
      return picture.webp({ quality: 84, effort: 1 }).toBuffer();
  }
}
