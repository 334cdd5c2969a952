import { callApi } from '@/lib/http/client';
import {
  changedSections,
  type Section,
  type SectionsResponse,
  sectionsResponse,
} from '@/lib/specs/sections/schema';

const pathOf = (specUploadId: string) => `/api/admin/specs/${specUploadId}/sections`;

export function readSections(specUploadId: string, signal: AbortSignal): Promise<SectionsResponse> {
  return callApi(pathOf(specUploadId), { schema: sectionsResponse, signal });
}

/**
 * Replaces the sections of a spec. Throws `state_conflict` if the sections have changed since `version` or if the
 * server has not read the PDF yet.
 */
export async function saveSections(
  specUploadId: string,
  version: number,
  sections: Section[],
): Promise<void> {
  await callApi(pathOf(specUploadId), {
    method: 'PUT',
    body: { version, sections },
    schema: changedSections,
  });
}

/**
 * Replaces corrected sections with the original ones. Throws `state_conflict` if the sections have changed since
 * `version`.
 */
export async function restoreSections(specUploadId: string, version: number): Promise<void> {
  await callApi(`${pathOf(specUploadId)}/restore`, {
    method: 'POST',
    body: { version },
    schema: changedSections,
  });
}

/** Returns the URLs from which the sections of a spec are exported. */
export const sectionExports = (specUploadId: string) => ({
  csv: `${pathOf(specUploadId)}/csv`,
  json: pathOf(specUploadId),
});
