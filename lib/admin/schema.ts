import { z } from 'zod';
import { text } from '@/lib/http/text';

/** The name of a brand or area type: a single line of 1–120 characters. */
export const catalogueName = text({ max: 120 });

/** The body of `POST /api/admin/brands` and `POST /api/admin/areas`. */
export const createNameBody = z.object({ name: catalogueName });
export const createdName = z.object({ name: z.string() });

export const brandsResponse = z.object({ brands: z.array(z.string()) });
export const areasResponse = z.object({ areas: z.array(z.string()) });

/** A name with the number of specs that have it. */
export const catalogueEntry = z.object({
  name: z.string(),
  specs: z.int(),
  /** The name that this one is being merged into. Its specs are moved in the background, and then it is deleted. */
  mergingInto: z.string().nullable().optional(),
});
export type CatalogueEntry = z.infer<typeof catalogueEntry>;
export const catalogueResponse = z.object({
  brands: z.array(catalogueEntry),
  areas: z.array(catalogueEntry),
});
export type Catalogue = z.infer<typeof catalogueResponse>;

/** `POST /api/admin/brands/rename` and `POST /api/admin/areas/rename`. */
export const renameBody = z.object({ name: catalogueName, newName: catalogueName });
export const renamedResponse = z.object({ name: z.string() });

/** `POST /api/admin/brands/merge` and `POST /api/admin/areas/merge`. */
export const mergeBody = z.object({ name: catalogueName, into: catalogueName });
/**
 * The name that is left, and how many specs are moved to it. If `isFinished` is false, they are moved in the background,
 * and the merged name is deleted when all were moved.
 */
export const mergedResponse = z.object({
  name: z.string(),
  specs: z.int(),
  isFinished: z.boolean().optional(),
});
export type Merged = z.infer<typeof mergedResponse>;

/** `POST /api/admin/brands/delete` and `POST /api/admin/areas/delete`. */
export const deleteNameBody = z.object({ name: catalogueName });

/** `POST /api/admin/brands/import` and `POST /api/admin/areas/import`. */
export const MAX_IMPORTED_NAMES = 2_000;
/** As many names as possible fit, in characters of any script. */
export const MAX_IMPORT_BYTES = 1024 * 1024;
export const importNamesBody = z.object({ names: z.array(catalogueName).min(1).max(MAX_IMPORTED_NAMES) });
/** How many of the names were added, and how many the list had already. */
export const importedResponse = z.object({ added: z.int(), existing: z.int() });
