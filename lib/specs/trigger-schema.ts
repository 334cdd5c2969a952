import { z } from 'zod';
import { uuid } from '@/lib/http/uuid';
import { triggerBase, triggerCallback } from '@/lib/workflow/trigger-schema';
import { PROTECTED } from './schema';

/** The trigger for a run of a spec. */
export const specTrigger = z.object({
  type: z.literal('spec.process'),
  ...triggerBase.shape,
  data: z.object({
    spec_upload_id: uuid,
    document_id: uuid,
    run: z.int().min(1),
    brand: z.string(),
    area: z.string(),
    property: z.string().nullable(),
    file_name: z.string(),
    url: z.url(),
    size_bytes: z.int(),
    sha256: z.string(),
    is_protected: z.boolean().meta({ json: { type: 'boolean', description: PROTECTED } }),
  }),
  callback: triggerCallback,
});
export type SpecTrigger = z.infer<typeof specTrigger>;
