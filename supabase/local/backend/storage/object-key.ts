import { refuse } from '@/supabase/local/backend/storage/storage-error';

const ALLOWED = /^[\w/!\-.*'() &$@=;:+,?]+$/;

/** Returns the key. Throws StorageError if hosted storage would reject it or if a segment is empty, `.` or `..`. */
export function requireObjectKey(value: unknown): string {
  const key = typeof value === 'string' ? value : '';
  const isPlain = key.length <= 1_024 && ALLOWED.test(key);
  if (!isPlain || key.split('/').some((part) => ['', '.', '..'].includes(part))) throw refuse.invalidKey(key);
  return key;
}

/**
 * Returns the decoded path segments after /storage/v1. Takes the raw request URL, because URL parsing would resolve
 * `..`. Throws StorageError.
 */
export function urlParts(rawUrl: string): string[] {
  const path = (rawUrl.split('?')[0] ?? '').slice('/storage/v1/'.length);
  try {
    const decoded = decodeURIComponent(path);
    if (!decoded.includes('\0')) return decoded.split('/');
  } catch {
    // Invalid percent-encoding is reported below.
  }
  throw refuse.invalidRequest('The URL is not valid');
}
