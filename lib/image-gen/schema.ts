import { z } from 'zod';
import { dayParam } from '@/lib/http/day';
import { flagParam } from '@/lib/http/flag-param';
import { cursorParam, limitParam, optionalLimitParam } from '@/lib/http/page';
import { pastedText } from '@/lib/http/pasted-text';
import { text } from '@/lib/http/text';
import { time } from '@/lib/http/time';
import { uuid } from '@/lib/http/uuid';
import { progressReport, reportedError } from '@/lib/workflow/callback-schema';
import { retrying } from '@/lib/workflow/schema';

export const MAX_MATERIALS = 32;
/** Maximum number of outputs per run; any more are left out. */
export const MAX_OUTPUTS = 32;
/** Maximum number of images that a request can ask for. */
export const MAX_COUNT = 8;

export const imageStatuses = ['queued', 'running', 'succeeded', 'failed', 'canceled'] as const;
export const imageStatus = z.enum(imageStatuses);
export type ImageStatus = z.infer<typeof imageStatus>;

export const prompt = pastedText({ max: 4000, multiline: true });

export const MIN_SIDE = 16;
export const MAX_SIDE = 16_384;

/** Width and height in pixels. `1024 x 768`, `1024X768` and `1024×768` all become `1024x768`. */
export const imageSize = z
  .string()
  .max(100)
  .overwrite((size) => size.replace(/\s+/g, '').replace(/[X×]/, 'x'))
  .regex(/^[1-9]\d*x[1-9]\d*$/, { error: 'must have the form WIDTHxHEIGHT', abort: true })
  .refine((size) => size.split('x').every((side) => Number(side) >= MIN_SIDE && Number(side) <= MAX_SIDE), {
    message: `must be ${MIN_SIDE} to ${MAX_SIDE} pixels each way`,
  })
  .meta({
    json: {
      type: 'string',
      pattern: '^\\s*[1-9]\\d{1,4}\\s*[xX×]\\s*[1-9]\\d{1,4}\\s*$',
      description: `Width x height in pixels, ${MIN_SIDE} to ${MAX_SIDE} each, such as 1024x768.`,
    },
  });

export const imageOptions = z.object({
  size: imageSize.optional(),
  // Whole numbers beyond these limits would be rounded.
  seed: z.number().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER).optional(),
  safety: pastedText({ max: 64 }).optional(),
  /** How many images to generate. */
  count: z.int().min(1).max(MAX_COUNT).optional(),
});
export type ImageOptions = z.infer<typeof imageOptions>;

/** A material for the workflow service to use. The server passes on `imageUrl` without fetching it. */
export const materialPayload = z.object({
  id: pastedText({ max: 100 }).optional(),
  name: pastedText({ max: 200 }).optional(),
  imageUrl: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .max(2000)
    .optional(),
});
export type MaterialPayload = z.infer<typeof materialPayload>;

const materialIds = z.array(pastedText({ max: 100 })).max(MAX_MATERIALS);
const materialPayloads = z.array(materialPayload).max(MAX_MATERIALS);

/** Body of `POST /api/image-gen/jobs`. */
export const createJobBody = z.object({
  projectId: uuid,
  prompt,
  // An id that is not a UUID matches no image, so `inputImagePath` is used instead.
  inputImageId: z.string().max(500).optional(),
  inputImagePath: z.string().min(1).max(500).optional(),
  pageId: pastedText({ max: 100 }).optional(),
  materialIds: materialIds.optional(),
  materialPayload: materialPayloads.optional(),
  options: imageOptions.optional(),
});
export type CreateJobPayload = z.input<typeof createJobBody>;

export const jobStartedResponse = z.object({ jobId: uuid, status: z.literal('queued') });
export const retriedResponse = z.object({ jobId: uuid, run: z.int(), status: z.literal('queued') });

export const variant = z.object({
  /** Identifies the image in its project. */
  id: uuid,
  variant_id: z.string(),
  /** The image's number within its prompt: the 3 in image 1.3. It stays the same when other images are deleted. */
  number: z.int(),
  path: z.string(),
  thumb_path: z.string().nullable(),
  meta: z.record(z.string(), z.unknown()).nullable(),
  url: z.string().nullable(),
  thumb_url: z.string().nullable(),
  width: z.int(),
  height: z.int(),
  run: z.int(),
  created_at: time,
  /** When the image was starred; null if it has no star. */
  starred_at: time.nullable(),
});
export type Variant = z.infer<typeof variant>;

export const imageJob = z.object({
  jobId: uuid,
  projectId: uuid,
  status: imageStatus,
  statusSeq: z.int(),
  run: z.int(),
  prompt: z.string(),
  inputImageId: uuid.nullable(),
  inputImagePath: z.string().nullable(),
  pageId: z.string().nullable(),
  materialIds: z.array(z.string()),
  materialPayload: z.array(materialPayload),
  options: imageOptions,
  error: z.string().nullable(),
  /** The highest progress reported for the current run, from 0 to 1. Null if unknown or if the run has finished. */
  progress: z.number().nullable(),
  /** When the progress was reported. */
  progressAt: time.nullable(),
  /** The latest note that the workflow service sent about the current run; null after the run has finished. */
  note: z.string().nullable(),
  /**
   * The current or next attempt to send the run to the workflow service. Null unless an attempt has failed and the run is
   * still queued.
   */
  retrying: retrying.nullable(),
  createdBy: uuid.nullable(),
  createdAt: time,
  updatedAt: time,
  startedAt: time.nullable(),
  finishedAt: time.nullable(),
  deadlineAt: time.nullable(),
  cover: variant.nullable(),
  /** The material swap that started the job; null for any other job. */
  swapId: uuid.nullable().optional(),
  /** The part of the image whose material the swap replaces; null without a swap. */
  swapWhere: z.string().nullable().optional(),
  /** The title to show instead of the prompt; null to show the prompt. */
  name: z.string().nullable().optional(),
});
export type ImageJob = z.infer<typeof imageJob>;

/** Query of `GET /api/image-gen/jobs`. */
export const listJobsQuery = z.object({
  projectId: uuid,
  status: imageStatus.optional(),
  limit: limitParam,
  cursor: cursorParam,
});
export type ListJobsQuery = z.infer<typeof listJobsQuery>;
export const jobsResponse = z.object({ jobs: z.array(imageJob), nextCursor: z.string().nullable() });
export const jobParams = z.object({ jobId: uuid });

/** Body of `PATCH /api/image-gen/jobs/{jobId}`. Without `name`, removes the job's name. */
export const renameJobBody = z.object({ name: text({ max: 120 }).nullable().optional() });

/** Body of `POST /api/image-gen/messages`. */
export const sendMessageBody = z
  .object({
    jobId: uuid,
    prompt,
    /**
     * The `variant_id` of the stored variant. It can be longer than the id that the workflow reported, because it may
     * have a prefix with the run number.
     */
    variantId: pastedText({ max: 140 }).optional(),
    materialIds: materialIds.optional().meta({
      description:
        'With `materialPayload`, replaces the materials of the job for this prompt. Without either, the prompt uses the materials of the job.',
    }),
    materialPayload: materialPayloads.optional(),
    options: imageOptions.optional().meta({
      description:
        'Replaces all options of the job for this prompt. Without it, the prompt uses the options of the job.',
    }),
    maskImageId: uuid.optional().meta({
      description:
        'The id of an uploaded PNG of the project with the size of the variant: white where the variant is to change, black where it is to stay. Needs `variantId`.',
    }),
  })
  .refine(({ maskImageId, variantId }) => maskImageId === undefined || variantId !== undefined, {
    path: ['maskImageId'],
    message: 'needs a variantId',
  });
export type SendMessagePayload = z.input<typeof sendMessageBody>;
export const sentResponse = z.object({
  jobId: uuid,
  messageId: uuid,
  run: z.int(),
  status: z.literal('queued'),
});

export const imageMessage = z.object({
  id: uuid,
  jobId: uuid,
  /** The prompt's position in the job, starting at 1. */
  ordinal: z.int(),
  role: z.literal('user'),
  prompt: z.string(),
  variantId: z.string().nullable(),
  /** The ids of the prompt's own materials. Null, like `materialPayload`, if the prompt uses the job's materials. */
  materialIds: z.array(z.string()).nullable(),
  materialPayload: z.array(materialPayload).nullable(),
  /** The prompt's own options; null if the prompt uses the job's options. */
  options: imageOptions.nullable(),
  maskImageId: uuid.nullable(),
  /** The latest run of this prompt; a retry is another run. */
  run: z.int(),
  status: imageStatus,
  error: z.string().nullable(),
  /** Messages about problems in a successful run, such as unusable outputs or no image at all. */
  notes: z.array(z.string()),
  /** The user who sent the prompt. */
  createdBy: uuid.nullable(),
  createdAt: time,
  /** When the workflow service accepted the run. */
  startedAt: time.nullable(),
  finishedAt: time.nullable(),
});
export type ImageMessage = z.infer<typeof imageMessage>;

/** Query of `GET /api/image-gen/jobs/{jobId}/messages`. Without `limit`, returns the newest 2,000 prompts. */
export const messagesQuery = z.object({
  limit: optionalLimitParam,
  cursor: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'is not a cursor of this list')
    .optional()
    .meta({ description: 'The `nextCursor` of the previous page.' }),
});
export const messagesResponse = z.object({
  messages: z.array(imageMessage),
  variants: z.array(variant),
  /** The `cursor` for the next page, with older prompts; null at the start of the conversation. */
  nextCursor: z.string().nullable(),
});

/** Query of `GET /api/projects/{id}/gallery`. */
export const galleryQuery = z.object({
  /** Returns only starred images. */
  starred: flagParam,
  /** Returns only deleted images that can still be restored. By default, returns only images that are not deleted. */
  deleted: flagParam,
  /** Returns only images whose prompt was sent by the user with this id. */
  createdBy: uuid.optional(),
  /** Returns only images whose prompt contains each of these words. */
  q: z.string().max(200).optional(),
  from: dayParam.optional(),
  to: dayParam.optional(),
  /** Returns only images whose prompt uses the material with this id. */
  material: z.string().max(100).optional(),
  limit: limitParam,
  cursor: cursorParam,
});
export type GalleryQuery = z.infer<typeof galleryQuery>;
export const galleryParams = z.object({ id: uuid });

/** An image of a project, with its prompt. */
export const galleryImage = z.object({
  jobId: uuid,
  /** The prompt's position in the conversation: the 1 in image 1.3. */
  ordinal: z.int(),
  prompt: z.string(),
  createdBy: uuid.nullable(),
  deletedAt: time.nullable(),
  /** A deleted image can be restored until this time; null if the image is not deleted. */
  restorableUntil: time.nullable(),
  variant,
});
export type GalleryImage = z.infer<typeof galleryImage>;
export const galleryResponse = z.object({ images: z.array(galleryImage), nextCursor: z.string().nullable() });

/** Maximum number of materials that the gallery lists. */
export const MAX_GALLERY_MATERIALS = 500;
/** A material that images of a project use. */
export const galleryMaterial = z.object({ id: z.string(), name: z.string() });
export type GalleryMaterial = z.infer<typeof galleryMaterial>;
export const galleryMaterialsResponse = z.object({
  materials: z.array(galleryMaterial).max(MAX_GALLERY_MATERIALS),
});

/** Maximum number of images that one call can change or download. */
export const MAX_CHOSEN = 500;
const imageIds = z.array(uuid).min(1).max(MAX_CHOSEN);
/** Body of `POST /api/projects/{id}/gallery/delete`, `…/restore` and `…/downloads`. */
export const imagesBody = z.object({ imageIds });
/** Body of `POST /api/projects/{id}/gallery/star`. */
export const starBody = z.object({ imageIds, starred: z.boolean() });
/**
 * The ids of the images that are now in the requested state. Leaves out images that could not be changed, for example
 * because they are not in the project.
 */
export const changedResponse = z.object({ imageIds: z.array(uuid) });

/** Response of `POST /api/projects/{id}/gallery/downloads`. */
export const imageDownloadResponse = z.object({ downloadId: uuid });
export const imageDownloadParams = z.object({ id: uuid, downloadId: uuid });
export const imagesZip = z.instanceof(ReadableStream<Uint8Array>);

export const anyJson = z.json();
/**
 * Any JSON object of a request, whose values are JSON anyway. Checking them with `anyJson` would make the schema in the
 * OpenAPI document recursive, which some clients' types cannot express.
 */
const jsonObject = z.record(z.string(), z.unknown()) as unknown as z.ZodRecord<z.ZodString, typeof anyJson>;

/** An output as the workflow service should report it. */
export const callbackOutput = z.object({
  variant_id: z.string().min(1),
  path: z.string(),
  thumb_path: z.string().optional(),
  meta: jsonObject.optional(),
});

const resultBody = z.object({
  job_id: uuid,
  status: z.enum(['succeeded', 'failed']),
  output_paths: z.array(callbackOutput).optional(),
  error: reportedError.optional(),
});

const progressBody = z.object({
  job_id: uuid,
  ...progressReport,
  output_paths: z.array(callbackOutput).optional(),
});

/**
 * Body of `POST /api/image-gen/callback` as the workflow service should send it: the result of a run, or a progress
 * report with the outputs so far. `readImageCallback` accepts other forms too.
 */
export const imageCallbackBody = z.discriminatedUnion('status', [resultBody, progressBody]);
