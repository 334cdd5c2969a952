import { type Page, pageParams } from '@/hooks/pages';
import { brandsResponse } from '@/lib/admin/schema';
import { callApi } from '@/lib/http/client';
import {
  type Standard,
  type StandardSection,
  standardSectionsResponse,
  standardsResponse,
} from '@/lib/specs/standards/schema';

// All functions in this file throw what `callApi` throws.

const STANDARDS = 20;
const SECTIONS = 50;

/** Fetches all brand names. */
export async function readBrands(signal: AbortSignal): Promise<string[]> {
  return (await callApi('/api/admin/brands', { schema: brandsResponse, signal })).brands;
}

export type StandardSearch = { query: string; brand: string | null };

/** Fetches one page of the brand standards that match a search. */
export async function readStandards(
  projectId: string,
  { query: text, brand }: StandardSearch,
  cursor: string | null,
  signal: AbortSignal,
): Promise<Page<Standard>> {
  const query = new URLSearchParams({
    ...pageParams(STANDARDS, cursor),
    ...(text && { q: text }),
    ...(brand && { brand }),
  });
  const { standards, nextCursor } = await callApi(`/api/projects/${projectId}/standards?${query}`, {
    schema: standardsResponse,
    signal,
  });
  return { items: standards, nextCursor };
}

/** Fetches one page of a brand standard's sections. */
export async function readStandardSections(
  projectId: string,
  specUploadId: string,
  cursor: string | null,
  signal: AbortSignal,
): Promise<Page<StandardSection>> {
  const query = new URLSearchParams(pageParams(SECTIONS, cursor));
  const path = `/api/projects/${projectId}/standards/${specUploadId}/sections?${query}`;
  const { sections, nextCursor } = await callApi(path, { schema: standardSectionsResponse, signal });
  return { items: sections, nextCursor };
}
