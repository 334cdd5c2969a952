import { z } from 'zod';
import { mark, size } from './mask-state';

/** A painted region of an image. `imageKey` is the image's key, and `label` is its displayed label, such as `2.3`. */
export const region = z.object({
  imageKey: z.string(),
  label: z.string(),
  picture: size,
  marks: z.array(mark),
});
export type Region = z.infer<typeof region>;
