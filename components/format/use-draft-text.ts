'use client';

import { useState } from 'react';

/**
 * Returns the text of a field that is applied elsewhere, such as in the URL, only when typing pauses. `text` is what
 * the field shows. Another `applied` value replaces it (by back, forward or "Clear filters"), unless it is the one that
 * `markApplied` announced: typing may have continued since.
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
