import { serverEnv } from '@/lib/env/server';
import { fetchFromOrigins } from '@/lib/http/fetch-from-origins';
import { imageRuns } from '@/lib/image-gen/image-runs';
import { specRuns } from '@/lib/specs/spec-runs';
import { callbackUrl } from '@/lib/workflow/dispatch-run';
import type { EventKind } from '@/lib/workflow-events/schema';
import type { CallbackTested } from '@/lib/workflow-events/testing/schema';
import { createTest } from '@/lib/workflow-events/testing/tests';

const TIMEOUT_MS = 10_000;
const MAX_CHARACTERS = 2_000;

/**
 * Sends a sample callback, with the correct secret, to the same callback URL that a trigger would contain. Returns the
 * response; its `status` is null if the request fails or takes too long. The callback belongs to a test, so it changes
 * no spec or image job.
 */
export async function testCallback(kind: EventKind): Promise<CallbackTested> {
  const env = serverEnv();
  const id = await createTest(kind);
  const sample =
    kind === 'spec'
      ? {
          runs: specRuns,
          setting: 'WEBHOOK_SECRET',
          secret: env.WEBHOOK_SECRET,
          body: { spec_upload_id: id, status: 'completed', sections_count: 2 },
        }
      : {
          runs: imageRuns,
          setting: 'IMAGE_WEBHOOK_SECRET',
          secret: env.IMAGE_WEBHOOK_SECRET,
          body: { job_id: id, status: 'succeeded', output_paths: [] },
        };
  const url = callbackUrl(sample.runs, { subjectId: id, run: 1 });
  const body = JSON.stringify(sample.body);
  const command = [
    `curl -X POST '${url}'`,
    `-H "x-webhook-secret: $${sample.setting}"`,
    `-H 'content-type: application/json' -d '${body}'`,
  ].join(' ');
  try {
    const response = await fetchFromOrigins([new URL(env.APP_URL).origin], url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-webhook-secret': sample.secret },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = (await response.text()).slice(0, MAX_CHARACTERS);
    return { id, url, body, command, status: response.status, response: text };
  } catch {
    return {
      id,
      url,
      body,
      command,
      status: null,
      response: 'APP_URL could not be reached from this server.',
    };
  }
}
