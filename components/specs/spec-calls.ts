import { z } from 'zod';
import { pageParams } from '@/hooks/pages';
import { callApi } from '@/lib/http/client';
import {
  type RetriedMany,
  type RetryMany,
  retriedManyResponse,
  retryResponse,
  type Spec,
  type SpecsResponse,
  spec,
  specsResponse,
} from '@/lib/specs/schema';
import { filtersQuery, type SpecFilters } from './spec-filters';

/** Returns one page of the specs that match the filters, newest first, and how many there are in each status. */
export function readSpecs(
  filters: SpecFilters,
  cursor: string | null,
  signal: AbortSignal,
): Promise<SpecsResponse> {
  const query = filtersQuery(filters, pageParams(25, cursor));
  return callApi(`/api/admin/specs?${query}`, { schema: specsResponse, signal });
}

export function readSpec(specUploadId: string, signal?: AbortSignal): Promise<Spec> {
  return callApi(`/api/admin/specs/${specUploadId}`, { schema: spec, signal });
}

/** Sends a failed spec to the workflow service again. Throws `state_conflict` when it is no longer failed. */
export async function retrySpec(specUploadId: string): Promise<void> {
  await callApi('/api/admin/specs/retry', {
    method: 'POST',
    body: { specUploadId },
    schema: retryResponse,
  });
}

/** Permanently deletes a spec and its file. */
export async function deleteSpec(specUploadId: string): Promise<void> {
  await callApi(`/api/admin/specs/${specUploadId}`, { method: 'DELETE', schema: z.undefined() });
}

/** Returns a fresh URL that downloads the original under its file name, or null when storage could not sign one. */
export async function readDownloadUrl(specUploadId: string): Promise<string | null> {
  const { url, fileName } = await readSpec(specUploadId);
  if (!url) return null;
  const download = new URL(url, window.location.href);
  download.searchParams.set('download', fileName);
  return download.toString();
}

/** Sends many failed specs to the workflow service again, on all pages of those that match. Returns their numbers. */
export async function retryMany(
  which: Pick<RetryMany, 'specUploadIds' | 'failed'>,
): Promise<{ retried: number; skipped: number }> {
  const sum = { retried: 0, skipped: 0 };
  let cursor: string | null = null;
  do {
    const page: RetriedMany = await callApi('/api/admin/specs/batch/retry', {
      method: 'POST',
      body: { ...which, cursor },
      schema: retriedManyResponse,
    });
    sum.retried += page.retried;
    sum.skipped += page.skipped;
    cursor = page.nextCursor;
  } while (cursor !== null);
  return sum;
}
