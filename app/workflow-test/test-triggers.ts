import { createHash } from 'node:crypto';
import { HttpError } from '@/lib/errors/problem';
import { uploadSlots } from '@/lib/image-gen/dispatch-image';
import { imageRuns } from '@/lib/image-gen/image-runs';
import { imageTrigger } from '@/lib/image-gen/trigger-schema';
import { specRuns } from '@/lib/specs/spec-runs';
import { specTrigger } from '@/lib/specs/trigger-schema';
import { jobPrefix } from '@/lib/storage/keys';
import { putObject, signedUrls } from '@/lib/storage/objects';
import { triggerFields } from '@/lib/workflow/dispatch-run';
import type { RunKind } from '@/lib/workflow/run-kind';
import type { Trigger } from '@/lib/workflow/send-trigger';
import { samplePdf } from './sample-pdf';

/**
 * Returns the fields that all test triggers share. `test` marks the trigger as a test, and `id` is derived from the
 * test's id.
 */
function testFields(kind: RunKind, id: string) {
  const fields = triggerFields(kind, { subjectId: id, run: 1, attempt: 1 });
  return { ...fields, id: `test_${id}`, test: true as const };
}

/**
 * Uploads a sample PDF and creates a trigger for it. The sweep removes the PDF within a few hours. Throws
 * `unavailable`.
 */
export async function specTestTrigger(id: string): Promise<Trigger> {
  const pdf = samplePdf();
  const path = `specs/tests/${id}/sample.pdf`;
  await putObject(path, pdf, { contentType: 'application/pdf' });
  const [url] = await signedUrls([path], specRuns.deadlineS);
  if (!url) throw new HttpError('unavailable', 'File storage is unavailable.');
  return specTrigger.parse({
    type: 'spec.process',
    ...testFields(specRuns, id),
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
  });
}

/** Creates a trigger that requests an image. The sweep removes what the workflow uploads. Throws `unavailable`. */
export async function imageTestTrigger(id: string): Promise<Trigger> {
  const prefix = `${jobPrefix(id, id)}1/`;
  const prompt = 'A calm lobby with oak panels';
  return imageTrigger.parse({
    type: 'image.generate',
    ...testFields(imageRuns, id),
    data: {
      job_id: id,
      project_id: id,
      run: 1,
      prompt,
      messages: [{ run: 1, prompt, variant_id: null }],
      page_id: null,
      input_image: null,
      variant: null,
      mask: null,
      material_ids: [],
      materials: [],
      options: { size: '512x512' },
    },
    upload: await uploadSlots(prefix, 1, 4),
  });
}
