'use client';

import { VisuallyHidden } from '@mantine/core';

/** Announces `text` to screen readers. Must stay mounted: many ignore a live region that appears with its text. */
export function Announcer({ text }: { text: string | undefined }) {
  return <VisuallyHidden aria-live="polite">{text}</VisuallyHidden>;
}
