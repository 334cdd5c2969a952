import { HttpError } from '@/lib/http/problem';
import { UpstreamError } from './upstream/error';

function seconds(ms: number | undefined): number {
  return Math.max(1, Math.ceil((ms ?? 30_000) / 1000));
}

/** A failure in the words of our own service: whom we asked, where and what it said is for the log alone. */
function toHttpError(error: UpstreamError): HttpError {
  const extra = { cause: error };
  switch (error.failure) {
    case 'timeout':
      return new HttpError('upstream_timeout', 'The material library took too long to answer.', extra);
    case 'network':
    case 'status':
    case 'content':
      return new HttpError('upstream_error', 'The material library gave no usable answer.', extra);
    case 'limited':
    case 'open':
    case 'busy':
      return new HttpError('unavailable', 'The material library is not available at the moment.', {
        ...extra,
        retryAfter: seconds(error.retryAfterMs),
      });
  }
}

/** What `work` gives; a failure of the library becomes the HttpError that the client gets. */
export async function orHttpError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof UpstreamError ? toHttpError(error) : error;
  }
}
