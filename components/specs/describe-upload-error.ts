import { describeError } from '@/components/feedback/describe-error';
import { ApiError } from '@/lib/http/client';

/** Returns whether an upload failed because the server already has the same file for this brand, area and property. */
export function isDuplicateFile(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'duplicate_file';
}

/** Describes why an upload failed. Replaces the API's message about a duplicate, which mentions `onDuplicate`. */
export function describeUploadError(error: unknown): string {
  if (isDuplicateFile(error)) return 'This file was already uploaded for this brand, area and property.';
  return describeError(error);
}
