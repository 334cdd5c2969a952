import { z } from 'zod';
import { MAX_ELEMENTS, type PageElement, pageElement } from '@/lib/document/page-model';

/** The format of elements on the system clipboard: JSON text with a `kind`. */
const clipboardText = z.object({
  kind: z.literal('atelier/elements'),
  elements: z.array(pageElement).min(1).max(MAX_ELEMENTS),
});
/** Longer text is not parsed. 200 elements are far below this. */
const MAX_LENGTH = 8 * 1024 * 1024;

export function writeClipboard(elements: readonly PageElement[]): string {
  return JSON.stringify({ kind: 'atelier/elements', elements });
}

/** Parses clipboard text. Returns its elements, or a message for the user when it holds none that can be pasted. */
export function readClipboard(text: string): { elements: PageElement[] } | { refused: string } {
  const foreign = { refused: 'The clipboard has no page elements.' };
  if (text.length > MAX_LENGTH) return foreign;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return foreign;
  }
  if (!z.object({ kind: clipboardText.shape.kind }).safeParse(value).success) return foreign;
  const parsed = clipboardText.safeParse(value);
  if (parsed.success) return { elements: parsed.data.elements };
  const [issue] = parsed.error.issues;
  return {
    refused: `The elements in the clipboard are damaged: ${issue?.path.join('.')} ${issue?.message}.`,
  };
}
