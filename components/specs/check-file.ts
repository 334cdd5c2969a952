import { formatBytes } from '@/components/format/bytes';
import { MAX_SPEC_BYTES } from '@/lib/specs/size-limit';

export const isPdfName = (name: string) => /\.pdf$/i.test(name);

/** Returns why a file cannot be uploaded, or null if it can. Only the server checks the content. */
export function refusalOf({ name, size }: { name: string; size: number }): string | null {
  if (!isPdfName(name)) return 'Not a PDF. Only .pdf files can be uploaded.';
  if (size === 0) return 'This file is empty (0 bytes).';
  if (size > MAX_SPEC_BYTES) {
    return `This file is too large (${formatBytes(size)}). The limit is ${formatBytes(MAX_SPEC_BYTES)}.`;
  }
  return null;
}
