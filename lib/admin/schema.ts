import { z } from 'zod';
import { text } from '@/lib/http/text';

/** The name of a brand or area type: a single line of 1–120 characters. */
export const catalogueName = text({ max: 120 });

/** The body of `POST /api/admin/brands` and `POST /api/admin/areas`. */
export const createNameBody = z.object({ name: catalogueName });
export const createdName = z.object({ name: z.string() });

export const brandsResponse = z.object({ brands: z.array(z.string()) });
export const areasResponse = z.object({ areas: z.array(z.string()) });

/** The name of a brand or area type, and the number of specs that use it. */
export const catalogueEntry = z.object({
  name: z.string(),
  specs: z.int(),
});
export type CatalogueEntry = z.infer<typeof catalogueEntry>;
export const catalogueResponse = z.object({
  brands: z.array(catalogueEntry),
  areas: z.array(catalogueEntry),
});
export type Catalogue = z.infer<typeof catalogueResponse>;

/** The body of `POST /api/admin/brands/rename` and `POST /api/admin/areas/rename`. */
export const renameBody = z.object({ name: catalogueName, newName: catalogueName });
export const renamedResponse = z.object({ name: z.string() });

/** The body of `POST /api/admin/brands/merge` and `POST /api/admin/areas/merge`. */
export const mergeBody = z.object({ name: catalogueName, into: catalogueName });
/** The name that was kept, and the number of specs that were moved to it. */
export const mergedResponse = z.object({ name: z.string(), specs: z.int() });
export type MergedNames = z.infer<typeof mergedResponse>;

/** The body of `POST /api/admin/brands/delete` and `POST /api/admin/areas/delete`. */
export const deleteNameBody = z.object({ name: catalogueName });

/** Maximum number of names in one import. */
export const MAX_IMPORTED_NAMES = 2_000;
/**
 * Maximum size of an import request in bytes. Large enough for the maximum number of names at their maximum length, in
 * any script.
 */
export const MAX_IMPORT_BYTES = 1024 * 1024;
/** The body of `POST /api/admin/brands/import` and `POST /api/admin/areas/import`. */
export const importNamesBody = z.object({ names: z.array(catalogueName).min(1).max(MAX_IMPORTED_NAMES) });
/** How many names of an import were added, and how many already existed. */
export const importedResponse = z.object({ added: z.int(), existing: z.int() });
