import { methods, route } from '@/lib/http/route';
import { applyImageResult } from '@/lib/image-gen/apply-callback';
import { checkOutputs } from '@/lib/image-gen/check-outputs';
import { readImageCallback } from '@/lib/image-gen/read-callback';
import { reportImageProgress } from '@/lib/image-gen/report-progress';
import { imageCallbackBody } from '@/lib/image-gen/schema';
import {
  callbackQuery,
  callbackResponse,
  MAX_CALLBACK_BYTES,
  MAX_CALLBACK_DEPTH,
} from '@/lib/workflow/callback-schema';
import { traceCallback } from '@/lib/workflow/trace-callback';
import { recordRefused } from '@/lib/workflow-events/refused/record-refused';
import { applyOrRecordTest } from '@/lib/workflow-events/testing/apply-or-record-test';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'image-workflow',
    summary: 'Receives the progress and the result of an image run from the workflow service.',
    docs: { codes: ['not_found'] },
    query: callbackQuery.image,
    body: imageCallbackBody,
    interpretBody: readImageCallback,
    maxBytes: MAX_CALLBACK_BYTES,
    maxDepth: MAX_CALLBACK_DEPTH,
    anyContentType: true,
    status: 200,
    response: callbackResponse,
    onRefused: recordRefused('image'),
    handle: ({ body, query, log }) =>
      traceCallback('image', { subjectId: body.job_id, run: query.run }, () =>
        applyOrRecordTest(
          { ...body, kind: 'image', id: body.job_id },
          log,
          () =>
            body.status === 'running'
              ? reportImageProgress(body, query.run, log)
              : applyImageResult(body, query.run, log),
          async () => {
            const job = { jobId: body.job_id, projectId: body.job_id, run: 1 };
            return (await checkOutputs(job, body.output_paths, [])).notes;
          },
        ),
      ),
  }),
});
