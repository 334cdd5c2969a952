import { z } from 'zod';
import { pageParams } from '@/hooks/pages';
import { callApi } from '@/lib/http/client';
import {
  type ChangesResponse,
  changesResponse,
  deletedManyResponse,
  type EditMany,
  editedManyResponse,
  type FileToMatch,
  MAX_MATCHED_FILES,
  MAX_SPECS_AT_ONCE,
  matchResponse,
  type RetriedMany,
  type RetryMany,
  retriedManyResponse,
  retryResponse,
  type Spec,
  type SpecMatchingFile,
  type SpecsResponse,
  type SpecVersionsResponse,
  spec,
  specDownloadResponse,
  specsResponse,
  specVersionsResponse,
  stopResponse,
} from '@/lib/specs/schema';
import { filtersQuery, type SpecListFilters } from './spec-filters';

const FIRST_PAGE_SIZE = 25;
/** The size of each later page. It is the maximum that the API allows, so that a long list takes few calls. */
const LATER_PAGE_SIZE = 100;

/**
 * Returns one page of the specs that match the filters, and the number of specs per status. These numbers ignore the
 * status filter.
 */
export function readSpecs(
  filters: SpecListFilters,
  cursor: string | null,
  signal: AbortSignal,
): Promise<SpecsResponse> {
  const query = filtersQuery(
    filters,
    pageParams(cursor === null ? FIRST_PAGE_SIZE : LATER_PAGE_SIZE, cursor),
  );
  return callApi(`/api/admin/specs?${query}`, { schema: specsResponse, signal });
}

export function readSpec(specUploadId: string, signal?: AbortSignal): Promise<Spec> {
  return callApi(`/api/admin/specs/${specUploadId}`, { schema: spec, signal });
}

/** Sends a failed spec to the workflow service again. Throws `state_conflict` if its status is no longer `failed`. */
export async function retrySpec(specUploadId: string): Promise<void> {
  await callApi('/api/admin/specs/retry', {
    method: 'POST',
    body: { specUploadId },
    schema: retryResponse,
  });
}

/** Sends a finished spec to the workflow service again. Throws `state_conflict` if a run is in progress. */
export async function processSpecAgain(specUploadId: string): Promise<void> {
  await callApi('/api/admin/specs/process-again', {
    method: 'POST',
    body: { specUploadId },
    schema: retryResponse,
  });
}

/** Stops a spec that is queued or being processed. Throws `state_conflict` if it has finished in the meantime. */
export async function stopSpec(specUploadId: string): Promise<void> {
  await callApi('/api/admin/specs/stop', { method: 'POST', body: { specUploadId }, schema: stopResponse });
}

/** Returns one page of the versions of a spec, newest first. */
export function readSpecVersions(
  specUploadId: string,
  cursor: string | null,
  signal: AbortSignal,
): Promise<SpecVersionsResponse> {
  const path = `/api/admin/specs/${specUploadId}/versions${cursor === null ? '' : `?cursor=${cursor}`}`;
  return callApi(path, { schema: specVersionsResponse, signal });
}

/** Returns what changed in a spec since another version of it. */
export function readChanges(
  specUploadId: string,
  from: string,
  signal: AbortSignal,
): Promise<ChangesResponse> {
  return callApi(`/api/admin/specs/${specUploadId}/changes?from=${from}`, {
    schema: changesResponse,
    signal,
  });
}

/** Permanently deletes a spec and its file. */
export async function deleteSpec(specUploadId: string): Promise<void> {
  await callApi(`/api/admin/specs/${specUploadId}`, { method: 'DELETE', schema: z.undefined() });
}

/** Returns a new signed URL that downloads the file under its own name, or null if storage could not sign a URL. */
export async function readDownloadUrl(specUploadId: string): Promise<string | null> {
  const { url, fileName } = await readSpec(specUploadId);
  if (!url) return null;
  const download = new URL(url, window.location.href);
  download.searchParams.set('download', fileName);
  return download.toString();
}

/**
 * The number of specs that were sent again, and the number skipped because they had not failed or no longer existed.
 */
export type Retried = { retried: number; skipped: number };
/** The fields that an edit changes, with their new values. */
export type SpecEdit = Omit<EditMany, 'specUploadIds'>;

/** Splits items into groups of at most `most`, and makes one call for each group. */
async function inGroups<Item, Result>(
  items: Item[],
  call: (items: Item[]) => Promise<Result>,
  most = MAX_SPECS_AT_ONCE,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += most) {
    results.push(await call(items.slice(from, from + most)));
  }
  return results;
}

const sumOf = (numbers: number[]) => numbers.reduce((sum, n) => sum + n, 0);

function sumOfRetried(results: RetriedMany[]): Retried {
  return {
    retried: sumOf(results.map(({ retried }) => retried)),
    skipped: sumOf(results.map(({ skipped }) => skipped)),
  };
}

function retryMany(body: RetryMany): Promise<RetriedMany> {
  return callApi('/api/admin/specs/batch/retry', { method: 'POST', body, schema: retriedManyResponse });
}

/** Sends these failed specs to the workflow service again. */
export async function retrySpecs(ids: string[]): Promise<Retried> {
  return sumOfRetried(await inGroups(ids, (specUploadIds) => retryMany({ specUploadIds })));
}

/**
 * Retries all failed specs that match the filters by sending them to the workflow service again. Ignores the status and
 * the sort order in the filters.
 */
export async function retryAllFailed({ status: _, sort: __, ...failed }: SpecListFilters): Promise<Retried> {
  const results: RetriedMany[] = [];
  let cursor: string | undefined;
  do {
    const result: RetriedMany = await retryMany({ failed, cursor });
    results.push(result);
    cursor = result.nextCursor ?? undefined;
  } while (cursor);
  return sumOfRetried(results);
}

/** Permanently deletes specs and their files. Returns how many were deleted. */
export async function deleteSpecs(ids: string[]): Promise<number> {
  const results = await inGroups(ids, (specUploadIds) =>
    callApi('/api/admin/specs/batch/delete', {
      method: 'POST',
      body: { specUploadIds },
      schema: deletedManyResponse,
    }),
  );
  return sumOf(results.map(({ deleted }) => deleted));
}

/** Changes the brand, area or property of specs. Returns how many were edited. */
export async function editSpecs(ids: string[], change: SpecEdit): Promise<number> {
  const results = await inGroups(ids, (specUploadIds) =>
    callApi('/api/admin/specs/batch/edit', {
      method: 'POST',
      body: { specUploadIds, ...change },
      schema: editedManyResponse,
    }),
  );
  return sumOf(results.map(({ edited }) => edited));
}

/** Prepares a download of up to `MAX_SPECS_AT_ONCE` specs as one ZIP file and returns its URL. */
export async function prepareSpecDownload(specUploadIds: string[]): Promise<string> {
  const path = '/api/admin/specs/batch/downloads';
  const { downloadId } = await callApi(path, {
    method: 'POST',
    body: { specUploadIds },
    schema: specDownloadResponse,
  });
  return `${path}/${downloadId}`;
}

/** Returns, for each file, the spec that it is probably a newer version of, or null. */
export async function matchFiles(files: FileToMatch[]): Promise<(SpecMatchingFile | null)[]> {
  const results = await inGroups(
    files,
    (some) =>
      callApi('/api/admin/specs/matches', { method: 'POST', body: { files: some }, schema: matchResponse }),
    MAX_MATCHED_FILES,
  );
  return results.flatMap(({ matches }) => matches);
}
