import { z } from 'zod';
import { cursorParam, limitParam, numberCursor } from '@/lib/http/page';
import { uuid } from '@/lib/http/uuid';
import { section } from '../sections/schema';

const SEARCH =
  'Words that the names and the text of the PDF have together, in any order. The last word can be incomplete.';

/** Query of `GET /api/projects/{id}/standards`. */
export const listStandardsQuery = z.object({
  brand: z.string().max(200).optional(),
  q: z
    .string()
    .max(200)
    .optional()
    .meta({ json: { type: 'string', maxLength: 200, description: SEARCH } }),
  cursor: cursorParam,
  limit: limitParam,
});
export type ListStandardsQuery = z.infer<typeof listStandardsQuery>;

/**
 * A brand standard, as shown to project editors. The current version of a spec is a brand standard if the processing of
 * this version is complete.
 */
export const standard = z.object({
  specUploadId: uuid,
  brandName: z.string(),
  area: z.string(),
  fileName: z.string(),
  version: z.int(),
  sectionsCount: z.int(),
});
export type Standard = z.infer<typeof standard>;
export const standardsResponse = z.object({
  standards: z.array(standard),
  nextCursor: z.string().nullable(),
});
export type StandardsResponse = z.infer<typeof standardsResponse>;

export const standardParams = z.object({ id: uuid, specUploadId: uuid });

/** Query of `GET /api/projects/{id}/standards/{specUploadId}/sections`. */
export const standardSectionsQuery = z.object({ cursor: numberCursor, limit: limitParam });
export type StandardSectionsQuery = z.infer<typeof standardSectionsQuery>;

/**
 * A section of a brand standard. `number` is its position in the spec, starting at 1. `text` is the section's reported
 * or corrected text. If there is none, `text` is the text on the PDF's pages between the section's title and the next
 * section. It is null if that text is also missing.
 */
export const standardSection = section.extend({ number: z.int() });
export type StandardSection = z.infer<typeof standardSection>;
export const standardSectionsResponse = z.object({
  fileName: z.string(),
  version: z.int(),
  sections: z.array(standardSection),
  nextCursor: z.string().nullable(),
});
export type StandardSectionsResponse = z.infer<typeof standardSectionsResponse>;
