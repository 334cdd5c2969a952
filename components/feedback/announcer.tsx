'use client';

import { VisuallyHidden } from '@mantine/core';

/** Speaks to screen readers. Must stay mounted: a live region that appears with its text is often not read. */
export function Announcer({ text }: { text: string | undefined }) {
  return <VisuallyHidden aria-live="polite">{text}</VisuallyHidden>;
}
