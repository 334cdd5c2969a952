import { UserFacingError } from '@/components/feedback/describe-error';
import type { Mark, MaskSize } from './mask-state';

/** Maximum length of the displayed mask's longer side in pixels. The uploaded file has the size of the picture. */
const MAX_SHOWN_SIDE = 1600;

function drawMark(context: CanvasRenderingContext2D, mark: Mark, { width, height }: MaskSize): void {
  if (mark.kind === 'invert') {
    // Inverts the mask: fills transparent pixels and clears opaque ones.
    context.globalCompositeOperation = 'source-out';
    context.fillRect(0, 0, width, height);
    return;
  }
  context.globalCompositeOperation = mark.erases ? 'destination-out' : 'source-over';
  if (mark.kind === 'rectangle') {
    const { from, to } = mark;
    context.fillRect(from.x, from.y, to.x - from.x, to.y - from.y);
    return;
  }
  const [first, ...others] = mark.points;
  if (!first) return;
  context.lineWidth = 2 * mark.radius;
  context.beginPath();
  context.moveTo(first.x, first.y);
  // A line from a point to itself draws a dot.
  for (const { x, y } of others.length > 0 ? others : [first]) context.lineTo(x, y);
  context.stroke();
}

/** Draws marks in one color on a transparent canvas. The canvas can have any size and represents the whole picture. */
export function drawMarks(canvas: HTMLCanvasElement, marks: Mark[], picture: MaskSize, color: string): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.scale(canvas.width / picture.width, canvas.height / picture.height);
  context.fillStyle = color;
  context.strokeStyle = color;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  for (const mark of marks) drawMark(context, mark, picture);
  context.globalCompositeOperation = 'source-over';
}

/** Returns the size at which to show the mask of a picture. */
export function shownSize({ width, height }: MaskSize): MaskSize {
  const share = Math.min(1, MAX_SHOWN_SIDE / Math.max(width, height));
  return { width: Math.round(width * share), height: Math.round(height * share) };
}

/** Returns whether the marks leave anything painted. */
export function isPainted(marks: Mark[], picture: MaskSize): boolean {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, shownSize(picture));
  drawMarks(canvas, marks, picture, '#fff');
  const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data;
  return pixels?.some((value, index) => index % 4 === 3 && value > 0) ?? false;
}

/**
 * Returns the mask as a PNG of the picture's size. Painted areas are white, and all others are black. Throws
 * `UserFacingError` if the browser cannot draw a mask of this size.
 */
export async function maskFile(marks: Mark[], picture: MaskSize, name: string): Promise<File> {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: picture.width, height: picture.height });
  drawMarks(canvas, marks, picture, '#fff');
  const context = canvas.getContext('2d');
  if (context) {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalCompositeOperation = 'destination-over';
    context.fillStyle = '#000';
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  // If the canvas exceeds the browser's size limit, drawing on it has no effect and reports no error.
  const isDrawn = context?.getImageData(0, 0, 1, 1).data[3] === 255;
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!isDrawn || !blob)
    throw new UserFacingError('The image is too large to edit a region in this browser.');
  return new File([blob], name, { type: 'image/png' });
}
