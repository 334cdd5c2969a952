import { z } from 'zod';
import { uuid } from '@/lib/http/uuid';
import { triggerBase, triggerCallback } from '@/lib/workflow/trigger-schema';
import { imageOptions, materialPayload } from './schema';

const picture = { url: z.url(), width: z.int(), height: z.int() };

const slots = z.array(z.object({ path: z.string(), url: z.url() }));

/**
 * The trigger for a run of an image job. The workflow service uploads its results to `upload.slots`, one for each image
 * that was asked for, each of which accepts one PUT. It can make thumbnails too, for which there are as many slots.
 */
export const imageTrigger = z.object({
  type: z.literal('image.generate'),
  ...triggerBase.shape,
  data: z.object({
    job_id: uuid,
    project_id: uuid,
    run: z.int().min(1),
    prompt: z.string(),
    messages: z.array(z.object({ run: z.int(), prompt: z.string(), variant_id: z.string().nullable() })),
    page_id: z.string().nullable(),
    input_image: z.object({ id: uuid.nullable(), ...picture }).nullable(),
    variant: z.object({ variant_id: z.string(), run: z.int(), ...picture }).nullable(),
    /**
     * A PNG of the same size as the variant or, if there is no variant, as the input image. It is white where the image
     * should change and black elsewhere.
     */
    mask: z
      .object({ id: uuid, ...picture })
      .nullable()
      .optional(),
    material_ids: z.array(z.string()),
    materials: z.array(materialPayload),
    options: imageOptions,
  }),
  upload: z.object({
    prefix: z.string(),
    slots,
    thumbnail_slots: slots,
  }),
  callback: triggerCallback,
});
export type ImageTrigger = z.infer<typeof imageTrigger>;
