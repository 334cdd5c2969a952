'use client';

import { type ChangeEvent, type RefObject, useState } from 'react';

/**
 * Returns the text `now` without the `@` that was just typed before the caret. Returns null if no `@` was typed, or if
 * the `@` does not start a word.
 */
export function withoutTypedAt(before: string, now: string, caret: number): string | null {
  const isTyped = now.length === before.length + 1 && now[caret - 1] === '@';
  const rest = now.slice(0, Math.max(0, caret - 1)) + now.slice(caret);
  return isTyped && rest === before && (caret === 1 || /\s/.test(now[caret - 2] ?? '')) ? rest : null;
}

/**
 * Opens and closes the materials dialog, which also opens when `@` is typed in the prompt. `focusPrompt` returns the
 * focus to the prompt and moves the caret to where the `@` was typed.
 */
export function useMaterialDialog(prompt: RefObject<HTMLTextAreaElement | null>) {
  const [opened, setOpened] = useState(false);
  const [typed, setTyped] = useState('');
  const [caret, setCaret] = useState<number | null>(null);
  return {
    opened,
    /** The text typed after the `@`, which becomes the initial search of the dialog. */
    typed,
    open: () => setOpened(true),
    close: () => {
      setOpened(false);
      setTyped('');
    },
    /**
     * Returns the new prompt text, without the `@` that opens the dialog and without any text typed while the dialog
     * opens.
     */
    onType: (before: string, { currentTarget }: ChangeEvent<HTMLTextAreaElement>): string => {
      if (opened) {
        const end = currentTarget.selectionStart;
        const added = currentTarget.value.slice(
          Math.max(0, end - (currentTarget.value.length - before.length)),
          end,
        );
        setTyped((known) => known + added);
        return before;
      }
      const rest = withoutTypedAt(before, currentTarget.value, currentTarget.selectionStart);
      if (rest === null) return currentTarget.value;
      // When React sets the text without the `@`, the caret moves to the end. Store the position of the `@`, so that
      // `focusPrompt` can move the caret back there.
      setCaret(currentTarget.selectionStart - 1);
      setOpened(true);
      return rest;
    },
    focusPrompt: () => {
      prompt.current?.focus();
      if (caret !== null) prompt.current?.setSelectionRange(caret, caret);
      setCaret(null);
    },
  };
}
