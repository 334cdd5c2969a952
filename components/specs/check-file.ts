import { formatBytes } from '@/components/format/bytes';
import { MAX_SPEC_BYTES } from '@/lib/specs/schema';

/** Why this file need not be sent at all, in words; null when it may be. The server looks into the bytes. */
export function refusalOf({ name, size }: { name: string; size: number }): string | null {
  if (!/\.pdf$/i.test(name)) return 'This is not a PDF: its name does not end in .pdf.';
  if (size === 0) return 'This file is empty (0 bytes).';
  if (size > MAX_SPEC_BYTES) {
    return `This file is too large: ${formatBytes(size)}. A spec has at most ${formatBytes(MAX_SPEC_BYTES)}.`;
  }
  return null;
}
