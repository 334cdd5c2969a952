import { HttpError } from '@/lib/errors/problem';
import { fairQueue } from '@/lib/process/fair-queue';
import { type Limits, runLimited } from '@/lib/process/limited-process';
import { type CleanSvg, cleanSvg } from './clean-svg';
import { SvgRefusal } from './svg-refusal';

const LIMITS: Limits = { cpuSeconds: 5, memoryMb: 1024, wallMs: 30_000 };
/** The number of users whose SVGs are drawn at a time. A drawing can take seconds, so one user must not delay another. */
const LANES = 2;

/** A clean SVG and a PNG of it with the same size. */
export type DrawnSvg = CleanSvg & { png: Buffer };

function cleanOrRefuse(bytes: Uint8Array): CleanSvg {
  try {
    return cleanSvg(bytes);
  } catch (error) {
    if (error instanceof SvgRefusal) throw new HttpError('invalid_image', error.message);
    throw error;
  }
}

/**
 * Cleans an SVG file and draws it as a PNG. Waits for its turn in the queue of drawings. Throws `invalid_image`
 * with the reason, or `unavailable` if the drawing process fails for a reason other than the file.
 */
export async function drawSvg(
  bytes: Uint8Array,
  owner: string,
  limits: Partial<Limits> = {},
): Promise<DrawnSvg> {
  const clean = cleanOrRefuse(bytes);
  const file = { bytes: Buffer.from(clean.svg) };
  const draw = () => runLimited('lib/storage/svg/draw-process.ts', file, { ...LIMITS, ...limits });
  const { output, isOverLimit } = await fairQueue('svgs', LANES)
    .run(owner, draw)
    .catch((cause: unknown) => {
      throw new HttpError('unavailable', 'The SVG cannot be checked right now.', { retryAfter: 30, cause });
    });
  if (isOverLimit) throw new HttpError('invalid_image', 'The SVG takes too long to draw. Simplify it.');
  if (output === '') throw new HttpError('invalid_image', 'The SVG could not be drawn.');
  return { ...clean, png: Buffer.from(output, 'base64') };
}
