import { useQuery } from '@tanstack/react-query';
import type { Spec } from '@/lib/specs/schema';
import { readSections } from './section-calls';

/** Milliseconds between reads of the sections while the PDF is being read. */
const READING_MS = 3_000;

/** Returns the first part of the query key of a spec's sections. The full key also contains `statusSeq`. */
export const sectionsKey = (specUploadId: string) => ['specs', 'sections', specUploadId];

export function useSections({ specUploadId, statusSeq }: Pick<Spec, 'specUploadId' | 'statusSeq'>) {
  return useQuery({
    // A result from the workflow service can contain sections, so read again when the status changes.
    queryKey: [...sectionsKey(specUploadId), statusSeq],
    queryFn: ({ signal }) => readSections(specUploadId, signal),
    placeholderData: (previous) => previous,
    // Poll until the PDF has been read or the workflow service has reported sections.
    refetchInterval: ({ state }) => state.data?.version === 0 && READING_MS,
  });
}
