import { isHttpError } from '@/lib/errors/problem';
import { imageRuns } from '@/lib/image-gen/image-runs';
import { logError } from '@/lib/log/log-error';
import type { Log } from '@/lib/log/logger';
import { specRuns } from '@/lib/specs/spec-runs';
import { sendTrigger } from '@/lib/workflow/send-trigger';
import type { EventKind } from '@/lib/workflow-events/schema';
import { addTestStep } from '@/lib/workflow-events/testing/tests';
import { imageTestTrigger, specTestTrigger } from './test-triggers';

/**
 * Sends a test's trigger and records the outcome. Does not retry, so that the first problem is visible. Never throws.
 */
export async function sendTest(id: string, kind: EventKind, log: Log): Promise<void> {
  const { triggerUrl } = kind === 'spec' ? specRuns : imageRuns;
  try {
    const trigger = kind === 'spec' ? await specTestTrigger(id) : await imageTestTrigger(id);
    await addTestStep(id, kind, { step: 'sent' });
    const outcome = await sendTrigger(triggerUrl(), trigger, new AbortController().signal);
    if (outcome.type === 'failed') {
      const detail = [outcome.error, outcome.detail].filter(Boolean).join(' ');
      await addTestStep(id, kind, { step: 'failed', detail });
    } else await addTestStep(id, kind, { step: 'accepted' });
  } catch (error) {
    logError(log, error, 'workflow test failed');
    const detail = isHttpError(error) ? error.message : 'The test failed because of an internal error.';
    await addTestStep(id, kind, { step: 'failed', detail }).catch(() => false);
  }
}
