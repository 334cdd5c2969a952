import { z } from 'zod';
import {
  type Catalogue,
  catalogueResponse,
  createdName,
  mergedResponse,
  renamedResponse,
} from '@/lib/admin/schema';
import { callApi } from '@/lib/http/client';

export type NameKind = 'brand' | 'area';

const paths = { brand: '/api/admin/brands', area: '/api/admin/areas' } as const;

/** All brands and areas with the number of specs each. */
export function readCatalogue(signal: AbortSignal): Promise<Catalogue> {
  return callApi('/api/admin/catalogue', { schema: catalogueResponse, signal });
}

/** Throws `already_exists` with the existing spelling. */
export async function createName(kind: NameKind, name: string): Promise<string> {
  const created = await callApi(paths[kind], { method: 'POST', body: { name }, schema: createdName });
  return created.name;
}

/** Throws `already_exists` with the existing spelling. */
export async function renameName(kind: NameKind, name: string, newName: string): Promise<string> {
  const renamed = await callApi(`${paths[kind]}/rename`, {
    method: 'POST',
    body: { name, newName },
    schema: renamedResponse,
  });
  return renamed.name;
}

/** Moves the specs of a name to another one and deletes it. Returns how many were moved. */
export async function mergeNames(kind: NameKind, name: string, into: string): Promise<number> {
  const merged = await callApi(`${paths[kind]}/merge`, {
    method: 'POST',
    body: { name, into },
    schema: mergedResponse,
  });
  return merged.specs;
}

/** Throws `state_conflict` if a spec has the name. */
export async function deleteName(kind: NameKind, name: string): Promise<void> {
  await callApi(`${paths[kind]}/delete`, { method: 'POST', body: { name }, schema: z.undefined() });
}
