import { z } from 'zod';
import { mark, size } from './mask-state';

/** A painted region of an image. */
export const region = z.object({
  /** The key and label of the image. */
  imageKey: z.string(),
  label: z.string(),
  picture: size,
  marks: z.array(mark),
});
export type Region = z.infer<typeof region>;
