import { serverEnv } from '@/lib/env/server';
import type { WorkHandler } from '@/lib/queue/work';
import { signedUrls } from '@/lib/storage/objects';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import { sendTrigger } from '@/lib/workflow/send-trigger';
import { SPEC_DEADLINE_S } from './schema';
import { specTrigger } from './trigger-schema';

/** The fields of a callback, as a trigger names them. */
export const callbackFields = [
  'spec_upload_id',
  'status',
  'sections_count',
  'error',
  'progress',
  'note',
] as const;

/** Sends one run of a spec to the workflow service, with everything it needs and none of our secrets. */
export const dispatchSpec: WorkHandler = async (item, signal) => {
  const [spec] = dataOf(
    await adminDb()
      .from('specs')
      .select(
        'id,document_id,run,brand_name,area,property_name,file_name,storage_path,size_bytes,sha256,is_protected',
      )
      .eq('id', item.subjectId)
      .limit(1),
  );
  if (!spec || spec.run !== item.run) return { type: 'closed' };
  // The URL outlives the deadline, so that a late start still finds the file.
  const [url] = await signedUrls([spec.storage_path], 2 * SPEC_DEADLINE_S);
  if (!url) {
    return {
      type: 'failed',
      code: 'file_missing',
      error: 'The file is no longer in storage.',
      retryable: false,
    };
  }
  const env = serverEnv();
  const now = Date.now();
  return sendTrigger(
    env.SPEC_WORKFLOW_URL,
    specTrigger.parse({
      type: 'spec.process',
      id: `spec_${spec.id}_${spec.run}`,
      timestamp: new Date(now).toISOString(),
      attempt: item.attempt,
      deadline_at: new Date(now + SPEC_DEADLINE_S * 1000).toISOString(),
      data: {
        spec_upload_id: spec.id,
        document_id: spec.document_id,
        run: spec.run,
        brand: spec.brand_name,
        area: spec.area,
        property: spec.property_name,
        file_name: spec.file_name,
        url,
        size_bytes: spec.size_bytes,
        sha256: spec.sha256,
        is_protected: spec.is_protected,
      },
      callback: {
        url: `${env.APP_URL}/api/admin/specs/callback?run=${spec.run}`,
        secret_header: 'x-webhook-secret',
        fields: callbackFields,
      },
    }),
    signal,
  );
};
