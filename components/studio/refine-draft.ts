import { z } from 'zod';
import type { OwnSettings } from '@/hooks/image-gen/image-jobs';
import { type ImageJob, type ImageOptions, materialPayload } from '@/lib/image-gen/schema';
import { draftOfOptions, type OptionErrors, optionDraft, optionsOf } from './option-draft';
import { materialFields, materialsOf } from './prompt-materials';

/** The materials and options for the next prompt, as typed. */
export const refineDraft = z.object({ materials: z.array(materialPayload), options: optionDraft });
export type RefineDraft = z.infer<typeof refineDraft>;

/** The materials and options of a job or a prompt. */
export type PromptSettings = Pick<ImageJob, 'materialIds' | 'materialPayload' | 'options'>;

/** Returns the form's field values for these settings. */
export function refineDraftOf(settings: PromptSettings): RefineDraft {
  return { materials: materialsOf(settings), options: draftOfOptions(settings.options) };
}

const optionNames = ['size', 'seed', 'safety', 'count'] as const;
const isSame = (a: ImageOptions, b: ImageOptions) => optionNames.every((name) => a[name] === b[name]);

/**
 * Returns the settings that differ from those of the job. If an option is invalid, returns the error messages by field
 * instead.
 */
export function ownSettings(
  { materials, options: typed }: RefineDraft,
  job: PromptSettings,
): { own: OwnSettings; errors: null } | { own: null; errors: OptionErrors } {
  const { options, errors } = optionsOf(typed);
  if (Object.keys(errors).length > 0) return { own: null, errors };
  const hasSameMaterials = JSON.stringify(materials) === JSON.stringify(materialsOf(job));
  return {
    own: {
      ...(hasSameMaterials ? {} : materialFields(materials)),
      ...(isSame(options, job.options) ? {} : { options }),
    },
    errors: null,
  };
}
