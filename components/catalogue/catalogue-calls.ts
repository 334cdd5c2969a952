import { z } from 'zod';
import {
  type Catalogue,
  catalogueResponse,
  createdName,
  importedResponse,
  type MergedNames,
  mergedResponse,
  renamedResponse,
} from '@/lib/admin/schema';
import { ApiError, callApi } from '@/lib/http/client';

export type NameKind = 'brand' | 'area';

const paths = { brand: '/api/admin/brands', area: '/api/admin/areas' } as const;

/** Fetches all brands and areas, each with its number of specs. */
export function readCatalogue(signal: AbortSignal): Promise<Catalogue> {
  return callApi('/api/admin/catalogue', { schema: catalogueResponse, signal });
}

/**
 * Adds a brand or an area and returns its name. Throws `already_exists` if the name exists, possibly with another
 * spelling. The error contains the existing spelling (see `existingName`).
 */
export async function createName(kind: NameKind, name: string): Promise<string> {
  const created = await callApi(paths[kind], { method: 'POST', body: { name }, schema: createdName });
  return created.name;
}

/** Returns the existing spelling if a name was refused because it already exists, otherwise null. */
export function existingName(error: unknown): string | null {
  if (!(error instanceof ApiError) || error.code !== 'already_exists') return null;
  return typeof error.problem.name === 'string' ? error.problem.name : null;
}

/** Adds a brand or an area unless it exists. Returns its name as stored on the server. */
export async function createNameIfMissing(kind: NameKind, name: string): Promise<string> {
  try {
    return await createName(kind, name);
  } catch (error) {
    const existing = existingName(error);
    if (existing !== null) return existing;
    throw error;
  }
}

/**
 * Adds the names that do not exist yet. The server treats two names as the same if they have the same `nameKey`.
 * Returns how many were added and how many already existed.
 */
export function importNames(kind: NameKind, names: string[]): Promise<{ added: number; existing: number }> {
  return callApi(`${paths[kind]}/import`, { method: 'POST', body: { names }, schema: importedResponse });
}

/**
 * Renames a brand or an area and returns its new name. Throws `already_exists` if another entry has that name, possibly
 * with another spelling. The error contains the existing spelling (see `existingName`).
 */
export async function renameName(kind: NameKind, name: string, newName: string): Promise<string> {
  const renamed = await callApi(`${paths[kind]}/rename`, {
    method: 'POST',
    body: { name, newName },
    schema: renamedResponse,
  });
  return renamed.name;
}

/** Moves all specs of `name` to `into` and deletes `name`. */
export function mergeNames(kind: NameKind, name: string, into: string): Promise<MergedNames> {
  return callApi(`${paths[kind]}/merge`, { method: 'POST', body: { name, into }, schema: mergedResponse });
}

/** Deletes a brand or an area. Throws `state_conflict` if it still has specs. */
export async function deleteName(kind: NameKind, name: string): Promise<void> {
  await callApi(`${paths[kind]}/delete`, { method: 'POST', body: { name }, schema: z.undefined() });
}
