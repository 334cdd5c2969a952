import { createHash } from 'node:crypto';
import { serverEnv } from '@/lib/env/server';
import { HttpError } from '@/lib/errors/problem';
import { callbackFields as imageFields } from '@/lib/image-gen/dispatch-image';
import { IMAGE_DEADLINE_S } from '@/lib/image-gen/schema';
import { imageTrigger } from '@/lib/image-gen/trigger-schema';
import { callbackFields as specFields } from '@/lib/specs/dispatch-spec';
import { SPEC_DEADLINE_S } from '@/lib/specs/schema';
import { specTrigger } from '@/lib/specs/trigger-schema';
import { jobPrefix } from '@/lib/storage/keys';
import { putObject, signedUploadUrls, signedUrls } from '@/lib/storage/objects';
import type { Trigger } from '@/lib/workflow/send-trigger';
import { samplePdf } from './sample-pdf';

/** The fields that mark a test: `test`, and the test's id in place of every other one. */
function marked(id: string, deadlineS: number) {
  const now = Date.now();
  return {
    id: `test_${id}`,
    timestamp: new Date(now).toISOString(),
    attempt: 1,
    deadline_at: new Date(now + deadlineS * 1000).toISOString(),
    test: true as const,
  };
}

/** A trigger for a sample PDF, which the sweep removes within hours. Throws `unavailable`. */
export async function specTestTrigger(id: string): Promise<Trigger> {
  const pdf = samplePdf();
  const path = `specs/tests/${id}/sample.pdf`;
  await putObject(path, pdf, { contentType: 'application/pdf' });
  const [url] = await signedUrls([path], SPEC_DEADLINE_S);
  if (!url) throw new HttpError('unavailable', 'File storage is unavailable.');
  return specTrigger.parse({
    type: 'spec.process',
    ...marked(id, SPEC_DEADLINE_S),
    data: {
      spec_upload_id: id,
      document_id: id,
      run: 1,
      brand: 'Test',
      area: 'Test',
      property: null,
      file_name: 'sample.pdf',
      url,
      size_bytes: pdf.byteLength,
      sha256: createHash('sha256').update(pdf).digest('hex'),
      is_protected: false,
    },
    callback: {
      url: `${serverEnv().APP_URL}/api/admin/specs/callback?run=1`,
      secret_header: 'x-webhook-secret',
      fields: specFields,
    },
  });
}

/** A trigger for a sample image; the sweep removes what is uploaded for it. Throws `unavailable`. */
export async function imageTestTrigger(id: string): Promise<Trigger> {
  const prefix = `${jobPrefix(id, id)}1/`;
  const prompt = 'A calm lobby with oak panels';
  return imageTrigger.parse({
    type: 'image.generate',
    ...marked(id, IMAGE_DEADLINE_S),
    data: {
      job_id: id,
      project_id: id,
      run: 1,
      prompt,
      messages: [{ run: 1, prompt, variant_id: null }],
      page_id: null,
      input_image: null,
      variant: null,
      material_ids: [],
      materials: [],
      options: { size: '512x512' },
    },
    upload: {
      prefix,
      slots: await signedUploadUrls(Array.from({ length: 8 }, (_, i) => `${prefix}1-${i + 1}`)),
    },
    callback: {
      url: `${serverEnv().APP_URL}/api/image-gen/callback?run=1`,
      secret_header: 'x-webhook-secret',
      fields: imageFields,
    },
  });
}
