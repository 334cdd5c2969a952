import { Webhook } from 'standardwebhooks';
import { serverEnv } from '@/lib/env/server';
import { parseRetryAfter } from '@/lib/http/retry-after';
import { currentRequestId } from '@/lib/log/request-id';
import type { WorkOutcome } from '@/lib/queue/work';
import { withSpan } from '@/lib/telemetry/with-span';
import { reasonForRefusal, whyNotAccepted } from './trigger-acceptance';

export const TIMEOUT_MS = 10_000;
const MAX_RETRY_AFTER_MS = 60 * 60_000;
/** Temporary 4xx statuses. For example, a server returns 404 while it starts or publishes a workflow. */
const temporary4xx = new Set([404, 408, 425, 429]);
export const isRefusal = (status: number) => status >= 400 && status < 500 && !temporary4xx.has(status);

/** The body of a trigger. `id` is the same for every attempt of a run, so that the service can detect repeats. */
export type Trigger = {
  type: string;
  id: string;
  timestamp: string;
  attempt: number;
  deadline_at: string;
  /** Set in a test trigger, which belongs to no spec or image job. */
  test?: true;
  data: Record<string, unknown>;
  /** Where to upload results. Each URL accepts one PUT, and all paths start with `prefix`. */
  upload?: { prefix: string; slots: { path: string; url: string }[] };
  callback: { url: string; secret_header: 'x-webhook-secret'; fields: readonly string[] };
};

/** Returns the wait in seconds from a `Retry-After` header, at most one hour, or undefined if the header sets none. */
export function retryAfterSeconds(header: string | null): number | undefined {
  const ms = parseRetryAfter(header, Date.now(), MAX_RETRY_AFTER_MS);
  return ms ? Math.ceil(ms / 1000) : undefined;
}

const isForImages = ({ type }: Trigger) => type.startsWith('image.');

/**
 * Returns the outcome of a refused trigger. Designers see the error of an image job, administrators that of a spec. The
 * body of a 401 or 403 is about Atelier's credentials, so it is only for administrators.
 */
async function refusal(trigger: Trigger, response: Response): Promise<WorkOutcome> {
  const { status } = response;
  const reason = await reasonForRefusal(response);
  const error = isForImages(trigger)
    ? `The image service rejected this request (HTTP ${status})`
    : `The workflow service rejected the trigger with HTTP ${status}`;
  const isOnlyForAdmins = status === 401 || status === 403;
  return {
    type: 'failed',
    code: 'refused',
    error: reason && !isOnlyForAdmins ? `${error}: ${reason}` : `${error}.`,
    ...(reason && isOnlyForAdmins ? { detail: reason } : {}),
    retryable: false,
  };
}

async function post(url: string, trigger: Trigger, signal: AbortSignal): Promise<WorkOutcome> {
  const env = serverEnv();
  const service = isForImages(trigger) ? 'The image service' : 'The workflow service';
  const body = JSON.stringify(trigger);
  const sentAt = new Date();
  const requestId = currentRequestId();
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Atelier',
        'webhook-id': trigger.id,
        'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
        'webhook-signature': new Webhook(env.WORKFLOW_SIGNING_SECRET).sign(trigger.id, sentAt, body),
        ...(requestId ? { 'x-request-id': requestId } : {}),
        ...(env.WORKFLOW_TOKEN ? { 'x-workflow-token': env.WORKFLOW_TOKEN } : {}),
      },
      body,
    });
    if (!response.ok && !isRefusal(response.status)) await response.body?.cancel();
  } catch (error) {
    const timedOut = error instanceof DOMException && error.name === 'TimeoutError';
    const reason = timedOut ? `did not respond within ${TIMEOUT_MS / 1000} s` : 'could not be reached';
    return { type: 'failed', code: 'unreachable', error: `${service} ${reason}.`, retryable: true };
  }
  if (response.ok) {
    const reason = await whyNotAccepted(url, response);
    if (reason)
      return { type: 'failed', code: 'unreachable', error: `${service} ${reason}.`, retryable: true };
    return { type: 'dispatched', deadline: new Date(trigger.deadline_at) };
  }
  const { status } = response;
  if (isRefusal(status)) return refusal(trigger, response);
  return {
    type: 'failed',
    code: 'unreachable',
    error: `${service} returned HTTP ${status}.`,
    retryable: true,
    retryAfterS: retryAfterSeconds(response.headers.get('retry-after')),
  };
}

/**
 * Posts a trigger, signed with WORKFLOW_SIGNING_SECRET as in Standard Webhooks (https://www.standardwebhooks.com).
 * Returns an outcome whether or not a response arrives. A 2xx response accepts the trigger unless `whyNotAccepted`
 * returns a reason. A 4xx response rejects it unless the status is in `temporary4xx`. Throws `unavailable` if the
 * database is down.
 */
export function sendTrigger(url: string, trigger: Trigger, signal: AbortSignal): Promise<WorkOutcome> {
  return withSpan('dispatch', { type: trigger.type }, async ({ label, note, fail }) => {
    note({ trigger: trigger.id, attempt: trigger.attempt });
    const outcome = await post(url, trigger, signal);
    label({ outcome: outcome.type === 'failed' ? outcome.code : outcome.type });
    if (outcome.type === 'failed') fail(outcome.error);
    return outcome;
  });
}
