import { z } from 'zod';
import { MAX_ELEMENTS, type PageElement, pageElement } from '@/lib/document/page-model';

/** The format of elements on the system clipboard: JSON text with a `kind`. */
const clipboardText = z.object({
  kind: z.literal('atelier/elements'),
  elements: z.array(pageElement).min(1).max(MAX_ELEMENTS),
});
/** Maximum length of text to parse. The JSON of an ordinary page's elements is far shorter. */
const MAX_LENGTH = 8 * 1024 * 1024;

export function writeClipboard(elements: readonly PageElement[]): string {
  return JSON.stringify({ kind: 'atelier/elements', elements });
}

/**
 * Reads page elements from clipboard text. If the elements are damaged, returns an error message for the user instead.
 * Returns null for any other text, and for text longer than `MAX_LENGTH`.
 */
export function readClipboard(text: string): { elements: PageElement[] } | { refused: string } | null {
  if (text.length > MAX_LENGTH) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!z.object({ kind: clipboardText.shape.kind }).safeParse(value).success) return null;
  const parsed = clipboardText.safeParse(value);
  if (parsed.success) return { elements: parsed.data.elements };
  const [issue] = parsed.error.issues;
  return {
    refused: `The elements in the clipboard are damaged: ${issue?.path.join('.')} ${issue?.message}.`,
  };
}
