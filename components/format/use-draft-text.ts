'use client';

import { useState } from 'react';

/**
 * Returns the state of a text field whose value is applied elsewhere, such as in the URL. A new `applied` value, for
 * example from the back button or "Clear filters", replaces the text. There is one exception: if the new value is the
 * one last passed to `markApplied`, the text stays, because the user may have continued typing since that call.
 */
export function useDraftText(applied: string) {
  const [draft, setDraft] = useState({ text: applied, applied, announced: applied });
  if (applied !== draft.applied) {
    const text = applied === draft.announced ? draft.text : applied;
    setDraft({ text, applied, announced: applied });
  }
  return {
    text: draft.text,
    setText: (text: string) => setDraft((before) => ({ ...before, text })),
    markApplied: (announced: string) => setDraft((before) => ({ ...before, announced })),
  };
}
