import { z } from 'zod';
import { text } from '@/lib/http/text';

/** The name of a brand or of an area type: 1–120 characters, a single line. */
export const catalogueName = text({ max: 120 });

/** `POST /api/admin/brands` and `POST /api/admin/areas`. */
export const createNameBody = z.object({ name: catalogueName });
export const createdName = z.object({ name: z.string() });

export const brandsResponse = z.object({ brands: z.array(z.string()) });
export const areasResponse = z.object({ areas: z.array(z.string()) });
