import { after } from 'next/server';
import { methods, route } from '@/lib/http/route';
import { nudgeLoop } from '@/lib/queue/loop';
import { uploadAnswer, uploadForm } from '@/lib/specs/schema';
import { uploadSpec } from '@/lib/specs/upload-spec';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'admin',
    summary: 'Uploads a spec PDF for a brand and an area and sends it to the workflow service.',
    docs: { codes: ['invalid_pdf', 'unknown_brand', 'unknown_area', 'duplicate_file'] },
    idempotent: true,
    rate: 'costly',
    form: uploadForm,
    status: 202,
    response: uploadAnswer,
    location: (answer) => `/api/admin/specs/${answer.specUploadId}`,
    handle: async ({ caller, request, idempotency }) => {
      const answer = await uploadSpec({
        request,
        userId: caller.userId,
        idempotencyKey: idempotency?.key ?? null,
      });
      after(nudgeLoop);
      return answer;
    },
  }),
});
