import { randomUUID } from 'node:crypto';
import { signBody } from '@/tests/fakes/workflow/fake-app';

const SLOTS = 4;

export type ImageTriggerChanges = {
  id?: string;
  jobId?: string;
  run?: number;
  attempt?: number;
  deadlineInMs?: number;
  data?: Record<string, unknown>;
  upload?: Record<string, unknown>;
};

/**
 * Makes a signed `image.generate` trigger. Returns its id, headers, body and job id, the prefix for uploads, and the
 * paths of the slots.
 */
export function signedImageTrigger(signingSecret: string, appUrl: string, changes: ImageTriggerChanges) {
  const { id = `msg_${randomUUID()}`, jobId = randomUUID(), run = 1, attempt = 1 } = changes;
  const { deadlineInMs = 60_000, data, upload } = changes;
  const now = new Date();
  const projectId = randomUUID();
  const prompt = String(data?.prompt ?? 'a quiet lobby');
  const prefix = `images/projects/${projectId}/jobs/${jobId}/${run}/`;
  const slotAt = (path: string) => ({
    path,
    url: `${appUrl}/storage/v1/object/upload/sign/${path}?token=signed`,
  });
  const paths = Array.from({ length: SLOTS }, (_, index) => `${prefix}${attempt}-${index + 1}`);
  const slots = paths.map(slotAt);
  const thumbnail_slots = paths.map((path) => slotAt(`${path}-thumb`));
  const body = JSON.stringify({
    type: 'image.generate',
    id,
    timestamp: now.toISOString(),
    attempt,
    deadline_at: new Date(now.getTime() + deadlineInMs).toISOString(),
    data: {
      job_id: jobId,
      project_id: projectId,
      run,
      prompt,
      messages: [{ run, prompt, variant_id: null }],
      page_id: null,
      input_image: null,
      variant: null,
      material_ids: [],
      materials: [],
      options: {},
      ...data,
    },
    upload: { prefix, slots, thumbnail_slots, ...upload },
    callback: {
      url: `${appUrl}/api/image-gen/callback?run=${run}&job_id=${jobId}`,
      secret_header: 'x-webhook-secret',
      fields: ['job_id', 'status', 'output_paths', 'error', 'progress', 'note'],
    },
  });
  return {
    id,
    jobId,
    prefix,
    paths,
    ...signBody(signingSecret, id, now, body),
  };
}
