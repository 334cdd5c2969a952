import { callApi } from '@/lib/http/client';
import { filesResponse, infoResponse, searchResponse } from '@/lib/matlib/schema';
import { pageQuery } from './material-url';

/**
 * Fetches one page of a search; the first page includes the counts. Throws what `callApi` throws, like every function
 * in this file.
 */
export function readMaterials(key: string, offset: number, signal: AbortSignal) {
  return callApi(`/api/matlib/search?${pageQuery(key, offset)}`, { schema: searchResponse, signal });
}

/** Fetches a search's current counts. Requests only one result, because the results are not used. */
export function readCounts(key: string, signal: AbortSignal) {
  const query = new URLSearchParams(key);
  query.set('limit', '1');
  query.set('facets', '1');
  return callApi(`/api/matlib/search?${query}`, { schema: searchResponse, signal });
}

/** Fetches the details of a material. */
export function readMaterialInfo(id: string, signal: AbortSignal) {
  return callApi(`/api/matlib/info/${id}`, { schema: infoResponse, signal });
}

/** Fetches the files of a material in all resolutions. */
export function readMaterialFiles(id: string, signal: AbortSignal) {
  return callApi(`/api/matlib/files/${id}?resolutions=all`, { schema: filesResponse, signal });
}
