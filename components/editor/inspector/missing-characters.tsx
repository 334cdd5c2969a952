'use client';

import { Alert, Text } from '@mantine/core';
import type { PageElement } from '@/lib/document/page-model';
import { missingCharacters, missingCharactersMessage } from '@/lib/document/printed-characters';
import { elementTexts } from '@/lib/document/sheet-texts';
import { usePrintedCharacters } from '../use-printed-characters';

/** Warns about an element's characters that exports cannot print, as soon as they are typed. */
export function MissingCharacters({ element }: { element: PageElement }) {
  const printed = usePrintedCharacters();
  if (!printed) return null;
  const missing = new Set(elementTexts(element).flatMap(({ text }) => missingCharacters(text, printed)));
  if (missing.size === 0) return null;
  return (
    <Alert color="red" variant="light" p="xs" role="status">
      <Text size="xs">{missingCharactersMessage([...missing])} Empty boxes will be printed instead.</Text>
    </Alert>
  );
}
