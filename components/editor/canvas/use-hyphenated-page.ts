import { useEffect, useMemo, useState } from 'react';
import { hasHyphenation, hyphenatedPage } from '@/lib/document/hyphenation/hyphenated-page';
import { type Hyphenate, hyphenatorOf } from '@/lib/document/hyphenation/hyphenator';
import type { PageData } from '@/lib/document/page-model';
import { useEditor } from '../use-editor';

/** Returns a page as it is printed, with soft hyphens. They appear once the patterns of the language are loaded. */
export function useHyphenatedPage(page: PageData): PageData {
  const language = useEditor(({ document }) => document.language);
  const [hyphenate, setHyphenate] = useState<Hyphenate | null>(null);
  const isNeeded = hasHyphenation(page);
  useEffect(() => {
    if (!isNeeded) return;
    let isOutdated = false;
    hyphenatorOf(language).then(
      (loaded) => {
        // React would call a function that is passed directly.
        if (!isOutdated) setHyphenate(() => loaded);
      },
      // If the patterns cannot be loaded, for example offline, the text is shown without hyphenation.
      () => undefined,
    );
    return () => {
      isOutdated = true;
    };
  }, [language, isNeeded]);
  return useMemo(() => (hyphenate ? hyphenatedPage(page, hyphenate) : page), [page, hyphenate]);
}
