import { methods, route } from '@/lib/http/route';
import { applyImageResult } from '@/lib/image-gen/apply-callback';
import { reportImageProgress } from '@/lib/image-gen/report-progress';
import { callbackBody } from '@/lib/image-gen/schema';
import {
  callbackAnswer,
  callbackQuery,
  MAX_CALLBACK_BYTES,
  MAX_CALLBACK_DEPTH,
} from '@/lib/queue/callback-schema';
import { measureCallback } from '@/lib/queue/measure-callback';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'image-workflow',
    summary: 'Receives the progress and the result of an image run from the workflow service.',
    docs: { codes: ['not_found'] },
    query: callbackQuery,
    body: callbackBody,
    maxBytes: MAX_CALLBACK_BYTES,
    maxDepth: MAX_CALLBACK_DEPTH,
    anyContentType: true,
    status: 200,
    response: callbackAnswer,
    handle: ({ body, query, log }) =>
      measureCallback('image', { subjectId: body.job_id, run: query.run }, () =>
        body.status === 'running'
          ? reportImageProgress(body, query.run, log)
          : applyImageResult(body, query.run, log),
      ),
  }),
});
