import { z } from 'zod';
import { httpUrl, triggerBase } from '@/tests/fakes/workflow/signed-trigger';

const DEFAULT_SIDE = 1024;
const side = z.int().min(16).max(16_384);
const slot = z.object({ path: z.string(), url: httpUrl });
const pixels = { width: z.int().min(1), height: z.int().min(1) };

/** A size in pixels, such as `1024x768`, parsed into width and height. Each side must be from 16 to 16,384 pixels. */
const sizeSchema = z
  .string()
  .regex(/^\d+x\d+$/)
  .transform((size) => {
    const [width, height] = size.split('x').map(Number);
    return { width, height };
  })
  .pipe(z.object({ width: side, height: side }));

/** The trigger that the app sends for one run of an image job. */
export const imageTriggerSchema = triggerBase
  .extend({
    type: z.literal('image.generate'),
    data: z.object({
      job_id: z.guid(),
      project_id: z.guid(),
      run: z.int().min(1),
      prompt: z.string().min(1).max(4000),
      messages: z.array(
        z.object({ run: z.int().min(1), prompt: z.string().min(1), variant_id: z.string().nullable() }),
      ),
      page_id: z.string().nullable(),
      input_image: z.object({ id: z.guid().nullable(), url: httpUrl, ...pixels }).nullable(),
      variant: z
        .object({ variant_id: z.string().min(1), run: z.int().min(1), url: httpUrl, ...pixels })
        .nullable(),
      mask: z.object({ id: z.guid(), url: httpUrl, ...pixels }).nullish(),
      material_ids: z.array(z.string()).max(32),
      materials: z.array(z.object({ id: z.string(), name: z.string(), imageUrl: z.string() }).partial()),
      options: z.object({
        size: sizeSchema.default({ width: DEFAULT_SIDE, height: DEFAULT_SIDE }),
        seed: z.number().optional(),
        safety: z.string().optional(),
        count: z.int().min(1).max(8).optional(),
      }),
    }),
    upload: z.object({
      prefix: z.string().regex(/^images\/.+\/$/),
      slots: z.array(slot).min(1),
      thumbnail_slots: z.array(slot),
    }),
  })
  .refine(({ upload }) => upload.slots.every(({ path }) => path.startsWith(upload.prefix)), {
    error: 'a slot lies outside the prefix',
    path: ['upload', 'slots'],
  })
  .refine(({ data, upload }) => upload.slots.length >= (data.options.count ?? 1), {
    error: 'there are fewer slots than images were asked for',
    path: ['upload', 'slots'],
  });
export type ImageTrigger = z.infer<typeof imageTriggerSchema>;
