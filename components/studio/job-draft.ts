import { z } from 'zod';
import {
  type CreateJobPayload,
  createJobBody,
  imageSize,
  MAX_SIDE,
  type MaterialPayload,
  MIN_SIDE,
  prompt as promptSchema,
} from '@/lib/image-gen/schema';

/** An input image. An uploaded image has an id; a generated image has only a path. */
export const inputImage = z.object({
  id: z.string().nullable(),
  path: z.string(),
  url: z.string().nullable(),
  name: z.string(),
});
export type InputImage = z.infer<typeof inputImage>;

/** Values of the new image form, as typed. */
export const jobDraft = z.object({
  prompt: z.string(),
  input: inputImage.nullable(),
  /** Ids of the materials in the tray that are not used for this image. */
  leftOut: z.array(z.string()),
  /** A preset, `custom`, or empty to let the workflow service choose. */
  size: z.string(),
  width: z.string(),
  height: z.string(),
  seed: z.string(),
  safety: z.string(),
});
export type JobDraft = z.infer<typeof jobDraft>;

export const emptyJobDraft: JobDraft = {
  prompt: '',
  input: null,
  leftOut: [],
  size: '',
  width: '1024',
  height: '1024',
  seed: '',
  safety: '',
};

export const sizePresets = [
  { value: '', label: 'Automatic' },
  { value: '1024x1024', label: 'Square, 1024 × 1024' },
  { value: '1536x1024', label: 'Landscape, 1536 × 1024' },
  { value: '1024x1536', label: 'Portrait, 1024 × 1536' },
  { value: '1920x1080', label: 'Wide, 1920 × 1080' },
  { value: 'custom', label: 'Custom, in pixels …' },
];

export type DraftField = 'prompt' | 'materials' | 'size' | 'seed' | 'safety';
export type DraftErrors = Partial<Record<DraftField, string>>;

const firstIssue = (error: z.ZodError) => error.issues[0]?.message ?? 'is not valid';

/** Returns the error message for an invalid prompt, or null if the prompt is valid. */
export function promptError(text: string): string | null {
  const parsed = promptSchema.safeParse(text);
  if (parsed.success) return null;
  return text.trim() === '' ? 'Describe the image first.' : `The prompt ${firstIssue(parsed.error)}.`;
}

type PickedMaterial = { id: string; name: string; thumbnailUrl: string };

function materialOf({ id, name, thumbnailUrl }: PickedMaterial): MaterialPayload {
  return { id, name, ...(thumbnailUrl ? { imageUrl: thumbnailUrl } : {}) };
}

/** Returns the request body for the form's values and the materials in the tray, or the error messages by field. */
export function payloadOf(
  projectId: string,
  draft: JobDraft,
  picked: readonly PickedMaterial[],
): { payload: CreateJobPayload; errors: null } | { payload: null; errors: DraftErrors } {
  const errors: DraftErrors = {};
  const wrongPrompt = promptError(draft.prompt);
  if (wrongPrompt) errors.prompt = wrongPrompt;
  const size = draft.size === 'custom' ? `${draft.width.trim()}x${draft.height.trim()}` : draft.size;
  if (size !== '' && !imageSize.safeParse(size).success) {
    errors.size = `Width and height must be whole numbers from ${MIN_SIDE} to ${MAX_SIDE}.`;
  }
  const seed = draft.seed.trim();
  if (seed !== '' && !(/^-?\d+$/.test(seed) && Number.isSafeInteger(Number(seed)))) {
    errors.seed = 'The seed must be a whole number.';
  }
  if (Object.keys(errors).length > 0) return { payload: null, errors };

  const safety = draft.safety.trim();
  const options = {
    ...(size ? { size } : {}),
    ...(seed ? { seed: Number(seed) } : {}),
    ...(safety ? { safety } : {}),
  };
  const { input, leftOut } = draft;
  const materials = picked.filter(({ id }) => !leftOut.includes(id));
  const payload: CreateJobPayload = {
    projectId,
    prompt: draft.prompt.trim(),
    ...(input?.id ? { inputImageId: input.id } : {}),
    ...(input && !input.id ? { inputImagePath: input.path } : {}),
    ...(materials.length > 0
      ? { materialIds: materials.map(({ id }) => id), materialPayload: materials.map(materialOf) }
      : {}),
    ...(Object.keys(options).length > 0 ? { options } : {}),
  };
  const checked = createJobBody.safeParse(payload);
  return checked.success
    ? { payload, errors: null }
    : { payload: null, errors: fieldErrors(checked.error.issues) };
}

function fieldErrors(issues: { path: PropertyKey[]; message: string }[]): DraftErrors {
  const errors: DraftErrors = {};
  for (const { path, message } of issues) {
    const [first, second] = path;
    if (first === 'options' && second === 'seed') errors.seed ??= `The seed ${message}.`;
    else if (first === 'options' && second === 'safety') errors.safety ??= `The safety level ${message}.`;
    else if (first === 'options') errors.size ??= `The size ${message}.`;
    else if (first === 'materialIds' || first === 'materialPayload')
      errors.materials ??= `A material ${message}.`;
    else errors.prompt ??= message;
  }
  return errors;
}
