import { codeOf } from '@/lib/errors/error-parts';
import { json, type Reply } from '@/supabase/local/backend/reply';

/**
 * A storage API error. The response body contains its `status`. As on hosted Supabase, the HTTP status is always 400 or
 * 500.
 */
export class StorageError extends Error {
  override name = 'StorageError';
  readonly status: number;
  readonly code: string;
  readonly legacyName: string;
  constructor(status: number, code: string, message: string, legacyName = code) {
    super(message);
    this.status = status;
    this.code = code;
    this.legacyName = legacyName;
  }
}

export const refuse = {
  noSuchBucket: () => new StorageError(404, 'NoSuchBucket', 'Bucket not found', 'Bucket not found'),
  noSuchKey: () => new StorageError(404, 'NoSuchKey', 'Object not found', 'not_found'),
  noRoute: () => new StorageError(404, 'NotFound', 'Route not found'),
  accessDenied: (message = 'new row violates row-level security policy') =>
    new StorageError(403, 'AccessDenied', message, 'Unauthorized'),
  duplicate: () => new StorageError(409, 'KeyAlreadyExists', 'The resource already exists', 'Duplicate'),
  tooLarge: () =>
    new StorageError(
      413,
      'EntityTooLarge',
      'The object exceeded the maximum allowed size',
      'Payload too large',
    ),
  diskFull: () => new StorageError(507, 'InsufficientStorage', 'No space left on device'),
  mimeType: (mimeType: string) =>
    new StorageError(415, 'InvalidMimeType', `mime type ${mimeType} is not supported`, 'invalid_mime_type'),
  invalidKey: (key: string) => new StorageError(400, 'InvalidKey', `Invalid key: ${key}`),
  invalidRequest: (message: string) => new StorageError(400, 'InvalidRequest', message),
  invalidToken: (message: string) => new StorageError(400, 'InvalidJWT', message),
  invalidSignature: () => new StorageError(400, 'InvalidSignature', 'Invalid signature'),
  unavailable: (feature: string) =>
    new StorageError(
      409,
      'FeatureNotEnabled',
      `The feature ${feature} is not available in the local backend`,
    ),
};

/** Converts a database error to the matching StorageError. Returns errors without a match unchanged. */
export function fromDatabase(error: unknown): unknown {
  const code = codeOf(error);
  if (code === '42501') return refuse.accessDenied(error instanceof Error ? error.message : undefined);
  if (code === '23505') return refuse.duplicate();
  if (code === '23503') return refuse.noSuchBucket();
  return error;
}

/** Returns the error response that storage-js expects. */
export function errorReply(error: StorageError): Reply {
  const { status, code, legacyName, message } = error;
  return json({ statusCode: String(status), error: legacyName, code, message }, status >= 500 ? 500 : 400);
}
