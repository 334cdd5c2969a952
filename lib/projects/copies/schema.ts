import { z } from 'zod';
import { imageKeyText } from '@/lib/document/page-model';

// Separate from `../schema.ts`, so that pages that only show projects do not load the document model.

/** The maximum number of images that one call copies. */
export const MAX_COPIED_IMAGES = 20;
/** The keys by which pages refer to images: the id of an uploaded image, or the path of any image. */
export const copyImagesBody = z.object({
  keys: z.array(imageKeyText).min(1, 'must not be empty').max(MAX_COPIED_IMAGES),
});
/**
 * Why an image was not copied. `not_available` means that the image is hidden from the caller, deleted, missing or too
 * large. `invalid_image` means that the image is damaged.
 */
export const copyFailure = z.enum(['not_available', 'invalid_image']);
/**
 * The requested images that the project now contains, and those that could not be copied. `newKey` is the image's key
 * in the project; it differs from `key` if `key` belongs to another project's image.
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
