import { z } from 'zod';
import { MAX_ELEMENTS, type PageElement, pageElement } from '@/lib/export/document/page-model';

/** Elements as the system's clipboard holds them: text that says what it is. */
const clipboardText = z.object({
  kind: z.literal('atelier/elements'),
  elements: z.array(pageElement).min(1).max(MAX_ELEMENTS),
});
/** 200 full elements are far below this; nothing longer is looked at. */
const MAX_LENGTH = 8 * 1024 * 1024;

export function writeClipboard(elements: readonly PageElement[]): string {
  return JSON.stringify({ kind: 'atelier/elements', elements });
}

/** The elements that a clipboard's text holds, or why it cannot be put on a page, in words. */
export function readClipboard(text: string): { elements: PageElement[] } | { refused: string } {
  const foreign = { refused: 'What is in the clipboard are no elements of a document.' };
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
    refused: `The elements in the clipboard are broken: ${issue?.path.join('.')} ${issue?.message}.`,
  };
}
