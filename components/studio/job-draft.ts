import { z } from 'zod';
import {
  type CreateJobPayload,
  createJobBody,
  type MaterialPayload,
  prompt as promptSchema,
} from '@/lib/image-gen/schema';
import { emptyOptionDraft, type OptionErrors, optionDraft, optionsOf } from './option-draft';
import { materialFields } from './prompt-materials';

/** An input image. An uploaded image has an id; a generated image has only a path. */
export const inputImage = z.object({
  id: z.string().nullable(),
  path: z.string(),
  url: z.string().nullable(),
  name: z.string(),
});
export type InputImage = z.infer<typeof inputImage>;

/** The values of the new-image form, as typed. */
export const jobDraft = z.object({
  prompt: z.string(),
  input: inputImage.nullable(),
  ...optionDraft.shape,
});
export type JobDraft = z.infer<typeof jobDraft>;

export const emptyJobDraft: JobDraft = { prompt: '', input: null, ...emptyOptionDraft };

export type DraftErrors = OptionErrors & { prompt?: string; materials?: string };

const firstIssue = (error: z.ZodError) => error.issues[0]?.message ?? 'is not valid';

/** Returns the error message for an invalid prompt, or null if the prompt is valid. */
export function promptError(text: string): string | null {
  const parsed = promptSchema.safeParse(text);
  if (parsed.success) return null;
  return text.trim() === '' ? 'Describe the image first.' : `The prompt ${firstIssue(parsed.error)}.`;
}

/**
 * Returns the request body for the form's values and the chosen materials. If any of them is invalid, returns the error
 * messages by field instead.
 */
export function payloadOf(
  projectId: string,
  draft: JobDraft,
  materials: MaterialPayload[],
): { payload: CreateJobPayload; errors: null } | { payload: null; errors: DraftErrors } {
  const { options, errors } = optionsOf(draft);
  const wrongPrompt = promptError(draft.prompt);
  if (wrongPrompt || Object.keys(errors).length > 0) {
    return { payload: null, errors: { ...(wrongPrompt ? { prompt: wrongPrompt } : {}), ...errors } };
  }
  const { input } = draft;
  const payload: CreateJobPayload = {
    projectId,
    prompt: draft.prompt.trim(),
    ...(input?.id ? { inputImageId: input.id } : {}),
    ...(input && !input.id ? { inputImagePath: input.path } : {}),
    ...(materials.length > 0 ? materialFields(materials) : {}),
    ...(Object.keys(options).length > 0 ? { options } : {}),
  };
  const checked = createJobBody.safeParse(payload);
  if (checked.success) return { payload, errors: null };
  const [{ path, message } = { path: [], message: 'is not valid' }] = checked.error.issues;
  const isMaterial = path[0] === 'materialIds' || path[0] === 'materialPayload';
  return {
    payload: null,
    errors: isMaterial ? { materials: `A material ${message}.` } : { prompt: message },
  };
}
