'use client';

import { useDebouncedCallback } from '@mantine/hooks';
import { useDraftText } from './use-draft-text';

const SETTLE_MS = 250;

/** Returns the text of a search field, applied without outer spaces when typing pauses. */
export function useSearchText(applied: string, apply: (text: string) => void) {
  const { text, setText, markApplied } = useDraftText(applied);
  const applySoon = useDebouncedCallback((typed: string) => {
    markApplied(typed.trim());
    apply(typed.trim());
  }, SETTLE_MS);
  return {
    text,
    type: (typed: string) => {
      setText(typed);
      applySoon(typed);
    },
    /** Returns the text that another change of the filters must apply along with its own. */
    take: (): string => {
      applySoon.cancel();
      markApplied(text.trim());
      return text.trim();
    },
  };
}
