import { useEffect } from 'react';
import { cjkLanguage } from '@/lib/document/font-families';
import type { PageData } from '@/lib/document/page-model';
import { elementTexts } from '@/lib/document/sheet-texts';
import type { EditorDocument } from '../editor-change';

const isCjk = (text: string) => cjkLanguage(text) !== undefined;

// Pages are immutable, so only a changed page is searched again.
const known = new WeakMap<PageData, boolean>();

function hasCjk(page: PageData): boolean {
  const found =
    known.get(page) ??
    (isCjk(page.title) ||
      page.elements.some((element) => elementTexts(element).some(({ text }) => isCjk(text))));
  known.set(page, found);
  return found;
}

/** Returns whether a document has Chinese, Japanese or Korean text. */
export function needsCjk({ cover, contents, masters, pages }: EditorDocument, projectName: string): boolean {
  const { title, subtitle, client, date } = cover;
  const front = [projectName, title, subtitle, client, date, contents.title];
  return front.some(isCjk) || masters.some(hasCjk) || pages.some(hasCjk);
}

/**
 * Loads the CSS rules of the fonts for Chinese, Japanese and Korean when `isNeeded` becomes true. The rules are half a
 * megabyte, more than all other CSS rules of the editor together.
 */
export function useCjkFonts(isNeeded: boolean): void {
  useEffect(() => {
    // If this fails, for example offline, the system fonts are used.
    if (isNeeded) import('@/components/document/cjk-fonts').catch(() => undefined);
  }, [isNeeded]);
}
