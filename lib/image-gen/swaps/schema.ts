import { z } from 'zod';
import { cursorParam, limitParam } from '@/lib/http/page';
import { pastedText } from '@/lib/http/pasted-text';
import { time } from '@/lib/http/time';
import { uuid } from '@/lib/http/uuid';
import { imageJob, imageOptions, materialPayload, variant } from '../schema';

/** Maximum number of materials per swap, and therefore of jobs. */
export const MAX_SWAP_MATERIALS = 8;

/** The part of an image whose material is replaced. */
export const swapWhere = pastedText({ max: 500 });
/** The value of `where` if only a mask marks the region. */
export const MARKED_REGION = 'the marked region';

const swapMaterial = materialPayload.extend({ id: pastedText({ max: 100 }) });
export type SwapMaterial = z.output<typeof swapMaterial>;

/** Returns the prompt for replacing the material of `where` with the given one. */
export function swapPrompt(where: string, { id, name = id }: SwapMaterial): string {
  return `Replace the material of ${where} with ${name}. Keep everything else unchanged.`;
}

/**
 * Extracts `where` and the material's name from a prompt in the format of `swapPrompt`. Returns null for any other
 * prompt. Splits at the last ` with `, so a name that contains ` with ` is not returned whole.
 */
export function partsOfSwap(prompt: string): { where: string; name: string } | null {
  const [, where, name] =
    /^Replace the material of (.+) with (.+)\. Keep everything else unchanged\.$/s.exec(prompt) ?? [];
  return where && name ? { where, name } : null;
}

function refuseRepeated(materials: SwapMaterial[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const [index, { id }] of materials.entries()) {
    if (seen.has(id)) context.addIssue({ code: 'custom', path: [index, 'id'], message: 'is repeated' });
    seen.add(id);
  }
}

/** Body of `POST /api/image-gen/swaps`. */
export const createSwapBody = z
  .object({
    projectId: uuid,
    /** The image to start from: the `id` of a variant. */
    variantId: uuid,
    where: swapWhere.optional().meta({
      description: `The region to change, such as \`the floor\`. Optional with a mask, where the default is \`${MARKED_REGION}\`.`,
    }),
    maskImageId: uuid.optional().meta({
      description:
        'The id of an uploaded PNG of the project with the size of the image: white where the image is to change, black where it is to stay the same.',
    }),
    materials: z.array(swapMaterial).min(1).max(MAX_SWAP_MATERIALS).superRefine(refuseRepeated),
    /**
     * The options of every job. By default, each job makes one image, and uses the seed and size of the image that it
     * starts from. If that image has no seed, all jobs use the same random seed. If it has a side under 64 or over 16384
     * pixels, the jobs have no default size. The seed is a whole number, because the swap stores it as one.
     */
    options: imageOptions.extend({ seed: z.int().optional() }).optional(),
  })
  .refine(({ where, maskImageId }) => where !== undefined || maskImageId !== undefined, {
    path: ['where'],
    message: 'is required without maskImageId',
  });
export type CreateSwapPayload = z.input<typeof createSwapBody>;

/** The ids of the started jobs are in the order of the materials. */
export const swapStarted = z.object({ swapId: uuid, jobIds: z.array(uuid), status: z.literal('queued') });

export const imageSwap = z.object({
  swapId: uuid,
  projectId: uuid,
  where: z.string(),
  /** The seed of every job. */
  seed: z.int(),
  /** The image that the jobs start from; null if it was deleted. */
  source: variant.nullable(),
  /** The job that `source` belongs to; null if `source` is null. */
  sourceJobId: uuid.nullable(),
  createdBy: uuid.nullable(),
  createdAt: time,
});
export type ImageSwap = z.infer<typeof imageSwap>;

/** Query of `GET /api/image-gen/swaps`. */
export const listSwapsQuery = z.object({ projectId: uuid, limit: limitParam, cursor: cursorParam });
export type ListSwapsQuery = z.infer<typeof listSwapsQuery>;
export const swapsResponse = z.object({ swaps: z.array(imageSwap), nextCursor: z.string().nullable() });

export const swapParams = z.object({ swapId: uuid });

/**
 * Response of `GET /api/image-gen/swaps/{swapId}`. The jobs are in the order of the materials in the request that
 * started the swap. Each job's cover is its newest image with the material that the job was started for.
 */
export const swapWithJobs = imageSwap.extend({ jobs: z.array(imageJob) });
export type SwapWithJobs = z.infer<typeof swapWithJobs>;
