import { methods, route } from '@/lib/http/route';
import { applySpecResult, reportSpecProgress } from '@/lib/specs/apply-callback';
import { readSpecCallback } from '@/lib/specs/read-callback';
import { specCallbackBody } from '@/lib/specs/schema';
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
    access: 'spec-workflow',
    summary: 'Receives the progress and the result of a spec from the workflow service.',
    docs: { codes: ['not_found'] },
    query: callbackQuery.spec,
    body: specCallbackBody,
    interpretBody: readSpecCallback,
    maxBytes: MAX_CALLBACK_BYTES,
    maxDepth: MAX_CALLBACK_DEPTH,
    anyContentType: true,
    status: 200,
    response: callbackResponse,
    onRefused: recordRefused('spec'),
    handle: ({ body, query, log }) =>
      traceCallback('spec', { subjectId: body.spec_upload_id, run: query.run }, () =>
        applyOrRecordTest({ ...body, kind: 'spec', id: body.spec_upload_id }, log, () =>
          body.status === 'running'
            ? reportSpecProgress(body, query.run, log)
            : applySpecResult(body, query.run, log),
        ),
      ),
  }),
});
