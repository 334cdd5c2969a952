'use client';

import { useDebouncedCallback } from '@mantine/hooks';
import { useDraftText } from './use-draft-text';

const SETTLE_MS = 250;

/** Returns the state of a search field. Trims and applies its text when typing pauses. */
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
    /**
     * Cancels the pending `apply` call and returns the trimmed text. The caller must apply this text together with its
     * own change.
     */
    take: (): string => {
      applySoon.cancel();
      markApplied(text.trim());
      return text.trim();
    },
  };
}
