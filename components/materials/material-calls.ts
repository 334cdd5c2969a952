import { callApi } from '@/lib/http/client';
import { filesAnswer, infoAnswer, searchAnswer } from '@/lib/matlib/schema';

/** Fills rows of two, three, four, six and eight. */
const PAGE = 96;

/** One page of what matches. `key` is a search key; the first page also brings the counts. */
export function readMaterials(key: string, offset: number, signal: AbortSignal) {
  const query = new URLSearchParams(key);
  query.set('limit', String(PAGE));
  if (offset === 0) query.set('facets', '1');
  else query.set('offset', String(offset));
  return callApi(`/api/matlib/search?${query}`, { schema: searchAnswer, signal });
}

/** The counts alone, as they are now. */
export function readCounts(key: string, signal: AbortSignal) {
  const query = new URLSearchParams(key);
  query.set('limit', '1');
  query.set('facets', '1');
  return callApi(`/api/matlib/search?${query}`, { schema: searchAnswer, signal });
}

export function readMaterialInfo(id: string, signal: AbortSignal) {
  return callApi(`/api/matlib/info/${id}`, { schema: infoAnswer, signal });
}

/** All files of a material, in every resolution that it has. */
export function readMaterialFiles(id: string, signal: AbortSignal) {
  return callApi(`/api/matlib/files/${id}?resolutions=all`, { schema: filesAnswer, signal });
}
