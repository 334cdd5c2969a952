import { serverEnv } from '@/lib/env/server';
import type { RunKind } from '@/lib/workflow/run-kind';
import { imageTrigger } from './trigger-schema';

/** The kind of run in which the workflow service generates images. */
export const imageRuns: RunKind = {
  source: 'image',
  trigger: imageTrigger,
  triggerUrl: () => serverEnv().IMAGE_WORKFLOW_URL,
  callbackPath: '/api/image-gen/callback',
  callbackFields: ['job_id', 'status', 'output_paths', 'error', 'progress', 'note', 'execution'],
  deadlineS: 10 * 60,
  limitS: 60 * 60,
};
