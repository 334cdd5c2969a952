import { z } from 'zod';
import { uuid } from '@/lib/http/uuid';

const run = z.int().min(1);
const reason = {
  error_code: z.string().nullable(),
  error: z.string().nullable(),
};

const specData = z.object({
  spec_upload_id: uuid,
  document_id: uuid,
  run,
  status: z.enum(['completed', 'failed']),
  brand: z.string(),
  area: z.string(),
  property: z.string().nullable(),
  file_name: z.string(),
  sections_count: z.int().nullable(),
  ...reason,
});

const imageData = z.object({
  job_id: uuid,
  project_id: uuid,
  run,
  status: z.enum(['succeeded', 'failed']),
  prompt: z.string(),
  ...reason,
});

const exportData = z.object({
  job_id: uuid,
  project_id: uuid,
  run,
  status: z.enum(['completed', 'failed']),
  page_count: z.int().nullable(),
  size_bytes: z.int().nullable(),
  ...reason,
});

/**
 * The fields that do not depend on the type of the event. `id` is the same for all attempts and endpoints; `timestamp`
 * is the time of the event.
 */
const base = { id: z.string(), timestamp: z.iso.datetime() };

/** The body of an event as sent to an endpoint. */
export const outgoingEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal(['spec.completed', 'spec.failed']), ...base, data: specData }),
  z.object({ type: z.literal(['image.succeeded', 'image.failed']), ...base, data: imageData }),
  z.object({ type: z.literal(['export.completed', 'export.failed']), ...base, data: exportData }),
]);
export type OutgoingEvent = z.infer<typeof outgoingEvent>;
