'use client';

import { Button, type ButtonProps } from '@mantine/core';
import { useHydrated } from '@/hooks/use-hydrated';

/**
 * Submits the form that contains it. Until React has hydrated the page, the button is disabled, which also blocks
 * Enter. Otherwise, the browser itself would submit the form and put its fields, even passwords, in the URL.
 */
export function SubmitButton({ disabled = false, ...props }: ButtonProps) {
  const hydrated = useHydrated();
  return <Button type="submit" disabled={disabled || !hydrated} {...props} />;
}
