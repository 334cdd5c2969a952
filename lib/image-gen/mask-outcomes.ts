import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';

/** The outcomes of a request with an unsuitable mask. */
export const maskOutcomes = [
  z.object({ outcome: z.literal('mask_not_found') }),
  z.object({ outcome: z.literal('mask_unfit'), width: z.int(), height: z.int() }),
] as const;
type MaskOutcome = z.infer<(typeof maskOutcomes)[number]>;

/**
 * Returns the `invalid_request` that describes an unsuitable mask. `subject` is the word for the image being masked.
 */
export function maskError(result: MaskOutcome, subject: string): HttpError {
  const message =
    result.outcome === 'mask_not_found'
      ? 'must be an image uploaded to the project'
      : `must be a PNG of ${result.width} x ${result.height} pixels, the size of the ${subject}`;
  return new HttpError('invalid_request', `maskImageId ${message}.`, {
    errors: [{ path: 'maskImageId', message }],
  });
}
