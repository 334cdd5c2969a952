'use client';

import { useOs } from '@mantine/hooks';

/** Returns the name of the modifier key for shortcuts on the user's operating system. */
export function useCommandKey(): 'Ctrl' | '⌘' {
  const os = useOs();
  return os === 'macos' || os === 'ios' ? '⌘' : 'Ctrl';
}
