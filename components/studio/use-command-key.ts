'use client';

import { useOs } from '@mantine/hooks';

/** The name of the key that stands for a command on the reader's keyboard. */
export function useCommandKey(): 'Ctrl' | '⌘' {
  const os = useOs();
  return os === 'macos' || os === 'ios' ? '⌘' : 'Ctrl';
}
