import { methods, route } from '@/lib/http/route';
import { after } from 'next/server';
import { nudgeLoop } from '@/lib/queue/loop';
import { uploadForm, uploadResponse } from '@/lib/specs/schema';
import { uploadSpec } from '@/lib/specs/upload-spec';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'admin',
    summary: 'Uploads a spec PDF for a brand and an area and sends it to the workflow service.',
    docs: { codes: ['invalid_pdf', 'unknown_brand', 'unknown_area', 'duplicate_file', 'state_conflict'] },
    idempotent: true,
    rate: 'costly',
    form: uploadForm,
    status: 202,
    response: uploadResponse,
    location: (response) => `/api/admin/specs/${response.specUploadId}`,
    handle: async ({ caller, request, idempotency }) => {
      const response = await uploadSpec(request, caller.userId, idempotency?.key ?? null);
      after(nudgeLoop);
      return response;
    },
  }),
});
