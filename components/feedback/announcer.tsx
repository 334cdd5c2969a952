'use client';

import { VisuallyHidden } from '@mantine/core';

/**
 * Announces `text` to screen readers. Must stay mounted: many screen readers ignore a live region that appears together
 * with its text.
 */
export function Announcer({ text }: { text: string | undefined }) {
  return <VisuallyHidden aria-live="polite">{text}</VisuallyHidden>;
}
