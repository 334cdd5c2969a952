import { z } from 'zod';
import { text } from '@/lib/http/text';

/** The name of a brand or area type: a single line of 1–120 characters. */
export const catalogueName = text({ max: 120 });

/** The body of `POST /api/admin/brands` and `POST /api/admin/areas`. */
export const createNameBody = z.object({ name: catalogueName });
export const createdName = z.object({ name: z.string() });

export const brandsResponse = z.object({ brands: z.array(z.string()) });
export const areasResponse = z.object({ areas: z.array(z.string()) });
