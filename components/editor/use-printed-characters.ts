import { useQuery } from '@tanstack/react-query';
import type { PrintedCharacters } from '@/lib/document/printed-characters';
import { readPrintedCharacters } from './document-calls';

/** Returns the characters that exports can print, or undefined until they are known. */
export function usePrintedCharacters(): PrintedCharacters | undefined {
  // If this request fails, the export still reports characters that it cannot print.
  return useQuery({
    queryKey: ['printed-characters'],
    queryFn: ({ signal }) => readPrintedCharacters(signal),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}
