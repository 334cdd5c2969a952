import { methods, route } from '@/lib/http/route';
import { applyImageResult } from '@/lib/image-gen/apply-callback';
import { applySpecResult } from '@/lib/specs/apply-callback';
import { callbackResponse } from '@/lib/workflow/callback-schema';
import { heldCallback } from '@/lib/workflow-events/held-callback';
import { eventParams } from '@/lib/workflow-events/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'admin',
    summary: 'Applies a held callback to the run that it was held for.',
    docs: { codes: ['not_found'] },
    params: eventParams,
    status: 200,
    response: callbackResponse,
    handle: async ({ params, log }) => {
      const { kind, subjectId, run, succeeded, error } = await heldCallback(params.id);
      const notes: string[] = [];
      if (kind === 'spec') {
        const status = succeeded ? 'completed' : 'failed';
        return applySpecResult({ spec_upload_id: subjectId, status, error, sections: [], notes }, run, log);
      }
      const status = succeeded ? 'succeeded' : 'failed';
      return applyImageResult({ job_id: subjectId, status, error, output_paths: [], notes }, run, log);
    },
  }),
});
