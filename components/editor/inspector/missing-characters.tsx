'use client';

import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PageElement } from '@/lib/document/page-model';
import { missingCharacters, missingCharactersMessage } from '@/lib/document/printed-characters';
import { elementTexts } from '@/lib/document/sheet-texts';
import { readPrintedCharacters } from '../document-calls';

/** Warns about characters of an element that no font has, as soon as they are typed. */
export function MissingCharacters({ element }: { element: PageElement }) {
  // If this request fails, the export still reports the characters.
  const { data } = useQuery({
    queryKey: ['printed-characters'],
    queryFn: ({ signal }) => readPrintedCharacters(signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!data) return null;
  const missing = new Set(elementTexts(element).flatMap(({ text }) => missingCharacters(text, data)));
  if (missing.size === 0) return null;
  return (
    <Alert color="red" variant="light" p="xs" role="status">
      <Text size="xs">{missingCharactersMessage([...missing])} Empty boxes will be printed instead.</Text>
    </Alert>
  );
}
