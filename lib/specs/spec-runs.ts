import { serverEnv } from '@/lib/env/server';
import type { RunKind } from '@/lib/workflow/run-kind';
import { specTrigger } from './trigger-schema';

export const specRuns: RunKind = {
  source: 'spec',
  trigger: specTrigger,
  triggerUrl: () => serverEnv().SPEC_WORKFLOW_URL,
  callbackPath: '/api/admin/specs/callback',
  callbackFields: [
    'spec_upload_id',
    'status',
    'sections_count',
    'sections',
    'error',
    'progress',
    'note',
    'execution',
  ],
  deadlineS: 30 * 60,
  limitS: 2 * 60 * 60,
};
