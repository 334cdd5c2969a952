import { z } from 'zod';
import { mark, size } from './mask-state';

/** A painted region of the image with the key `imageKey` and the displayed label `label`. */
export const region = z.object({
  imageKey: z.string(),
  label: z.string(),
  picture: size,
  marks: z.array(mark),
});
export type Region = z.infer<typeof region>;
