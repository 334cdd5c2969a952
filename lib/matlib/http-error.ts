import { HttpError } from '@/lib/errors/problem';
import { isUpstreamError, type UpstreamFailure } from './upstream/error';

const USUAL_RETRY_MS = 30_000;
const UNAVAILABLE = 'The material library is currently unavailable.';

const details: Partial<Record<UpstreamFailure, string>> = {
  timeout: 'The material library took too long to respond.',
  content: 'The material library returned an invalid response.',
};

/**
 * Awaits `work` and turns every failure of the library into a 503 with `Retry-After` and a fixed message. The original
 * error, with its details, is kept as `cause` and never sent to the client.
 */
export async function orHttpError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isUpstreamError(error)) throw error;
    const retryAfter = Math.max(1, Math.ceil((error.retryAfterMs ?? USUAL_RETRY_MS) / 1000));
    throw new HttpError('unavailable', details[error.failure] ?? UNAVAILABLE, { cause: error, retryAfter });
  }
}
