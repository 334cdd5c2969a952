import { z } from 'zod';
import { imageKeyText } from '@/lib/document/page-model';

// Not in `schema.ts`, because every page that shows a project would load the model of documents with it.

/** The maximum number of images that one call copies. */
export const MAX_COPIED_IMAGES = 20;
/** The keys of images as pages have them: the id of an uploaded image, or the path of any image. */
export const copyImagesBody = z.object({
  keys: z.array(imageKeyText).min(1, 'must not be empty').max(MAX_COPIED_IMAGES),
});
/** Why an image was not copied: the caller cannot see it, or it is deleted, missing or too large; or it is damaged. */
export const copyFailure = z.enum(['not_available', 'invalid_image']);
/**
 * The images that the project now has, and those that could not be copied. `newKey` differs from `key` if the image was
 * copied from another project.
 */
export const copiedImagesResponse = z.object({
  images: z.array(
    z.object({
      key: z.string(),
      newKey: z.string(),
      url: z.string().nullable(),
      width: z.int(),
      height: z.int(),
    }),
  ),
  failed: z.array(z.object({ key: z.string(), reason: copyFailure })),
});
export type CopiedImages = z.infer<typeof copiedImagesResponse>;
export type CopiedImage = CopiedImages['images'][number];
export type FailedCopy = CopiedImages['failed'][number];
