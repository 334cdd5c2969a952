import { HttpError } from '@/lib/http/problem';
import { isUpstreamError, type UpstreamFailure } from './upstream/error';

const USUAL_RETRY_MS = 30_000;
const UNAVAILABLE = 'The material library is not available at the moment.';

const words: Partial<Record<UpstreamFailure, string>> = {
  timeout: 'The material library took too long to respond.',
  content: 'The material library gave no usable response.',
};

/**
 * What `work` gives. Every failure of the library becomes a 503 with `Retry-After` in the words of our own service:
 * whom we asked, where and what it said is for the log alone.
 */
export async function orHttpError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isUpstreamError(error)) throw error;
    const retryAfter = Math.max(1, Math.ceil((error.retryAfterMs ?? USUAL_RETRY_MS) / 1000));
    throw new HttpError('unavailable', words[error.failure] ?? UNAVAILABLE, { cause: error, retryAfter });
  }
}
