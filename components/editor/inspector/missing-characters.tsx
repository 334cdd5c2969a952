'use client';

import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PageElement } from '@/lib/document/page-model';
import {
  missingCharacters,
  missingCharactersMessage,
  type PrintedCharacters,
} from '@/lib/document/printed-characters';
import { elementTexts } from '@/lib/document/sheet-texts';
import type { ProjectFont } from '@/lib/fonts/schema';
import { readPrintedCharacters } from '../document-calls';
import { useProjectFonts } from '../fonts/use-project-fonts';

/**
 * Returns the characters in an element's text that exports cannot print. Skips text in the project's own fonts, because
 * only the export knows which characters these fonts have.
 */
export function unprintedCharacters(
  element: PageElement,
  printed: PrintedCharacters,
  fonts: readonly Pick<ProjectFont, 'name'>[],
): Set<string> {
  const texts = elementTexts(element).filter(({ font }) => !fonts.some(({ name }) => name === font));
  return new Set(texts.flatMap(({ text }) => missingCharacters(text, printed)));
}

/** Warns about characters in an element's text that exports cannot print. The warning appears as the user types. */
export function MissingCharacters({ element }: { element: PageElement }) {
  // If this request fails, the export still reports characters that it cannot print.
  const { data: printed } = useQuery({
    queryKey: ['printed-characters'],
    queryFn: ({ signal }) => readPrintedCharacters(signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { fonts } = useProjectFonts();
  if (!printed) return null;
  const missing = unprintedCharacters(element, printed, fonts);
  if (missing.size === 0) return null;
  return (
    <Alert color="red" variant="light" p="xs" role="status">
      <Text size="xs">{missingCharactersMessage([...missing])} Empty boxes will be printed instead.</Text>
    </Alert>
  );
}
