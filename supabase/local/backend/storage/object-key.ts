import { refuse } from '@/supabase/local/backend/storage/storage-error';

const ALLOWED = /^[\w/!\-.*'() &$@=;:+,?]+$/;

/** Throws unless the key is one that hosted storage takes; no empty, `.` or `..` part, so nobody can climb out. */
export function requireObjectKey(value: unknown): string {
  const key = typeof value === 'string' ? value : '';
  const isPlain = key.length <= 1_024 && ALLOWED.test(key);
  if (!isPlain || key.split('/').some((part) => ['', '.', '..'].includes(part))) throw refuse.invalidKey(key);
  return key;
}

/** The parts of an address below /storage/v1, from the raw request line: parsing a URL would resolve `..`. */
export function addressParts(rawUrl: string): string[] {
  const path = (rawUrl.split('?')[0] ?? '').slice('/storage/v1/'.length);
  try {
    const decoded = decodeURIComponent(path);
    if (!decoded.includes('\0')) return decoded.split('/');
  } catch {
    // Told below.
  }
  throw refuse.invalidRequest('The address is not valid');
}
