import { useEffect, useMemo, useState } from 'react';
import { hasHyphenation, hyphenatedSheet } from '@/lib/document/hyphenation/hyphenated-sheet';
import { type Hyphenate, hyphenatorOf } from '@/lib/document/hyphenation/hyphenator';
import type { Sheet } from '@/lib/document/sheets';
import { useEditor } from '../use-editor';

/** Returns a sheet with soft hyphens, as printed. The hyphens appear after the language's patterns have loaded. */
export function useHyphenatedSheet(sheet: Sheet): Sheet {
  const language = useEditor(({ document }) => document.language);
  const [hyphenate, setHyphenate] = useState<Hyphenate | null>(null);
  const isNeeded = hasHyphenation(sheet);
  useEffect(() => {
    if (!isNeeded) return;
    let isOutdated = false;
    hyphenatorOf(language)
      // If the patterns cannot be loaded, for example offline, the text is shown without hyphenation.
      .catch(() => null)
      .then((loaded) => {
        // The hyphenator is a function, and React would call a function that is passed directly.
        if (!isOutdated) setHyphenate(() => loaded);
      });
    return () => {
      isOutdated = true;
    };
  }, [language, isNeeded]);
  return useMemo(() => (hyphenate ? hyphenatedSheet(sheet, hyphenate) : sheet), [sheet, hyphenate]);
}
