import { serverEnv } from '@/lib/env/server';
import type { WorkHandler, WorkItem } from '@/lib/queue/work';
import { idFields } from './callback-schema';
import type { RunKind } from './run-kind';
import { sendTrigger, type Trigger } from './send-trigger';

type Run = Pick<WorkItem, 'subjectId' | 'run' | 'attempt'>;

/** Returns the URL for the callbacks of a run. It names the spec or job too, for a callback whose body does not. */
export function callbackUrl({ source, callbackPath }: RunKind, { subjectId, run }: Omit<Run, 'attempt'>) {
  return `${serverEnv().APP_URL}${callbackPath}?run=${run}&${idFields[source]}=${subjectId}`;
}

/** Returns the fields that triggers of all kinds share. */
export function triggerFields(kind: RunKind, { subjectId, run, attempt }: Run) {
  const now = Date.now();
  return {
    id: `${kind.source}_${subjectId}_${run}`,
    timestamp: new Date(now).toISOString(),
    attempt,
    deadline_at: new Date(now + kind.deadlineS * 1000).toISOString(),
    callback: {
      url: callbackUrl(kind, { subjectId, run }),
      secret_header: 'x-webhook-secret' as const,
      fields: kind.callbackFields,
    },
  };
}

/**
 * The fields that one kind of run adds to a trigger. If a file is missing, the value is `{ missing }` with an error
 * message. The value is null if the run is outdated, or if its spec or job was deleted.
 */
type Payload = Pick<Trigger, 'type' | 'data' | 'upload'> | { missing: string } | null;

/**
 * Returns a handler that sends the triggers of one kind of run to the workflow service. The body of a trigger contains
 * none of Atelier's secrets.
 */
export function dispatchRuns(kind: RunKind, payloadOf: (item: WorkItem) => Promise<Payload>): WorkHandler {
  return async (item, signal) => {
    const payload = await payloadOf(item);
    if (!payload) return { type: 'closed' };
    if ('missing' in payload) {
      return { type: 'failed', code: 'file_missing', error: payload.missing, retryable: false };
    }
    const trigger = kind.trigger.parse({ ...triggerFields(kind, item), ...payload });
    return sendTrigger(kind.triggerUrl(), trigger, signal);
  };
}
