import { z } from 'zod';
import { cursorParam, limitParam, optionalLimitParam } from '@/lib/http/page';
import { text } from '@/lib/http/text';

/** A run that the workflow service has not reported on after this many seconds has failed with `timeout`. */
export const IMAGE_DEADLINE_S = 10 * 60;
export const MAX_MATERIALS = 12;
/** A run that brings more outputs has failed: nobody asked for so many. */
export const MAX_OUTPUTS = 16;

export const imageStatuses = ['queued', 'running', 'succeeded', 'failed', 'canceled'] as const;
export const imageStatus = z.enum(imageStatuses);
export type ImageStatus = z.infer<typeof imageStatus>;

export const prompt = text({ max: 4000, multiline: true });

/** `WIDTHxHEIGHT`, 64 to 4096 each. */
export const imageSize = z
  .string()
  .regex(/^[1-9]\d{1,3}x[1-9]\d{1,3}$/, 'must have the form WIDTHxHEIGHT')
  .refine((size) => size.split('x').every((side) => Number(side) >= 64 && Number(side) <= 4096), {
    message: 'must be 64 to 4096 pixels each way',
  });

export const imageOptions = z.object({
  size: imageSize.optional(),
  seed: z.int().min(-2_147_483_648).max(4_294_967_295).optional(),
  safety: text({ max: 64 }).optional(),
});
export type ImageOptions = z.infer<typeof imageOptions>;

/** Sent on to the workflow service as it is and never fetched by us. */
export const materialPayload = z.object({
  id: text({ max: 100 }).optional(),
  name: text({ max: 200 }).optional(),
  imageUrl: z
    .url({ protocol: /^https$/, error: 'must be an https address' })
    .max(2000)
    .optional(),
});
export type MaterialPayload = z.infer<typeof materialPayload>;

/** `POST /api/image-gen/jobs`. */
export const createJobBody = z.object({
  projectId: z.uuid(),
  prompt,
  inputImageId: z.uuid().optional(),
  inputImagePath: z.string().min(1).max(500).optional(),
  pageId: text({ max: 100 }).optional(),
  materialIds: z
    .array(text({ max: 100 }))
    .max(MAX_MATERIALS)
    .optional(),
  materialPayload: z.array(materialPayload).max(MAX_MATERIALS).optional(),
  options: imageOptions.optional(),
});
export type CreateJobPayload = z.input<typeof createJobBody>;

export const startedAnswer = z.object({ jobId: z.uuid(), status: z.literal('queued') });
export const retriedAnswer = z.object({ jobId: z.uuid(), run: z.int(), status: z.literal('queued') });

export const variant = z.object({
  variant_id: z.string(),
  path: z.string(),
  thumb_path: z.string().nullable(),
  meta: z.record(z.string(), z.unknown()).nullable(),
  url: z.string().nullable(),
  thumb_url: z.string().nullable(),
  width: z.int(),
  height: z.int(),
  run: z.int(),
  created_at: z.string(),
});
export type Variant = z.infer<typeof variant>;

export const imageJob = z.object({
  jobId: z.uuid(),
  projectId: z.uuid(),
  status: imageStatus,
  statusSeq: z.int(),
  run: z.int(),
  prompt: z.string(),
  inputImageId: z.uuid().nullable(),
  inputImagePath: z.string().nullable(),
  pageId: z.string().nullable(),
  materialIds: z.array(z.string()),
  materialPayload: z.array(materialPayload),
  options: imageOptions,
  error: z.string().nullable(),
  createdBy: z.uuid().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  deadlineAt: z.string().nullable(),
  cover: variant.nullable(),
});
export type ImageJob = z.infer<typeof imageJob>;

/** Query of `GET /api/image-gen/jobs`. */
export const listJobsQuery = z.object({
  projectId: z.uuid(),
  status: imageStatus.optional(),
  limit: limitParam,
  cursor: cursorParam,
});
export type ListJobsQuery = z.infer<typeof listJobsQuery>;
export const jobsAnswer = z.object({ jobs: z.array(imageJob), nextCursor: z.string().nullable() });
export const jobParams = z.object({ jobId: z.uuid() });

/** `POST /api/image-gen/messages`. */
export const sendMessageBody = z.object({
  jobId: z.uuid(),
  prompt,
  /** As we name it: longer by its run than the workflow does. */
  variantId: text({ max: 140 }).optional(),
});
export const sentAnswer = z.object({
  jobId: z.uuid(),
  messageId: z.uuid(),
  run: z.int(),
  status: z.literal('queued'),
});

export const imageMessage = z.object({
  id: z.uuid(),
  jobId: z.uuid(),
  /** 1 for the first prompt of the job. */
  ordinal: z.int(),
  role: z.literal('user'),
  prompt: z.string(),
  variantId: z.string().nullable(),
  /** The latest run that served this prompt; a retry is another one. */
  run: z.int(),
  status: imageStatus,
  error: z.string().nullable(),
  createdAt: z.string(),
});
export type ImageMessage = z.infer<typeof imageMessage>;

/** Query of `GET /api/image-gen/jobs/{jobId}/messages`. Without a `limit` the conversation comes whole. */
export const messagesQuery = z.object({
  limit: optionalLimitParam,
  cursor: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'is not a cursor of this list')
    .optional()
    .meta({ description: 'What the previous page gave as `nextCursor`.' }),
});
export const messagesAnswer = z.object({
  messages: z.array(imageMessage),
  variants: z.array(variant),
  /** The `cursor` of the page before this one; null at the start of the conversation. */
  nextCursor: z.string().nullable(),
});

export const anyJson = z.json();

export const callbackOutput = z.object({
  variant_id: text({ max: 128 }),
  path: z.string().min(1).max(500),
  thumb_path: z.string().max(500).nullish(),
  meta: z
    .record(z.string().max(200), anyJson)
    .refine((meta) => JSON.stringify(meta).length <= 16_384, 'must have at most 16 KiB')
    .nullish(),
});
export type CallbackOutput = z.infer<typeof callbackOutput>;

/** `POST /api/image-gen/callback`, as the workflow service sends it. */
export const callbackBody = z.object({
  job_id: z.uuid(),
  status: z.enum(['succeeded', 'failed']),
  output_paths: z.array(callbackOutput).max(1000).nullish(),
  error: z.string().max(10_000).nullish(),
});
export type ImageCallback = z.infer<typeof callbackBody>;
