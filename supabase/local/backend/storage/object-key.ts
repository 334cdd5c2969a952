import { refuse } from '@/supabase/local/backend/storage/storage-error';

const ALLOWED = /^[\w/!\-.*'() &$@=;:+,?]+$/;

/** Throws StorageError unless hosted storage accepts the key. Empty, `.` and `..` segments are rejected. */
export function requireObjectKey(value: unknown): string {
  const key = typeof value === 'string' ? value : '';
  const isPlain = key.length <= 1_024 && ALLOWED.test(key);
  if (!isPlain || key.split('/').some((part) => ['', '.', '..'].includes(part))) throw refuse.invalidKey(key);
  return key;
}

/** The path segments after /storage/v1, from the raw request line, because URL parsing would resolve `..`. */
export function urlParts(rawUrl: string): string[] {
  const path = (rawUrl.split('?')[0] ?? '').slice('/storage/v1/'.length);
  try {
    const decoded = decodeURIComponent(path);
    if (!decoded.includes('\0')) return decoded.split('/');
  } catch {
    // Reported below.
  }
  throw refuse.invalidRequest('The URL is not valid');
}
