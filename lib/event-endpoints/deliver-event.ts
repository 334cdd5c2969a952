import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { PrivateAddressError, postOutside } from '@/lib/http/post-outside';
import { time } from '@/lib/http/time';
import { uuid } from '@/lib/http/uuid';
import { currentRequestId } from '@/lib/log/request-id';
import type { WorkHandler, WorkItem, WorkOutcome } from '@/lib/queue/work';
import { adminDb } from '@/lib/supabase/admin';
import { callRpc } from '@/lib/supabase/call-rpc';
import { dataOf } from '@/lib/supabase/database-error';
import { withSpan } from '@/lib/telemetry/with-span';
import { isRefusal, retryAfterSeconds, TIMEOUT_MS } from '@/lib/workflow/send-trigger';
import { endpointUrlProblem, isAllowedHost } from './endpoint-url';
import { outgoingEvent } from './event-schema';

/**
 * Maximum number of deliveries that a process runs in parallel. It is half of the limit for all work items, so that
 * slow endpoints cannot block other work.
 */
const PARALLEL = 4;

const delivery = z.object({
  event_id: uuid,
  type: z.string(),
  data: z.unknown(),
  created_at: time,
  url: z.url(),
  secret: z.string(),
  header_name: z.string().nullable(),
  header_value: z.string().nullable(),
  is_paused: z.boolean(),
});
type Delivery = z.infer<typeof delivery>;

const failed = (error: string, retryable: boolean, retryAfterS?: number): WorkOutcome => ({
  type: 'failed',
  code: retryable ? 'unreachable' : 'refused',
  error,
  retryable,
  retryAfterS,
});

/**
 * Posts the event. Returns null if the endpoint accepted it, otherwise the failure. The statuses mean the
 * same as for triggers (see `sendTrigger`).
 */
async function post(
  { url, secret, header_name, header_value, event_id, type, data, created_at }: Delivery,
  signal: AbortSignal,
): Promise<WorkOutcome | null> {
  const problem = endpointUrlProblem(url);
  if (problem) return failed(`The URL ${problem}.`, false);
  const event = outgoingEvent.parse({ type, id: `event_${event_id}`, timestamp: created_at, data });
  const body = JSON.stringify(event);
  const sentAt = new Date();
  const requestId = currentRequestId();
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const { status, retryAfter } = await postOutside(url, {
      body,
      signal: AbortSignal.any([signal, timeout]),
      mayBePrivate: isAllowedHost(url),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Atelier',
        'webhook-id': event.id,
        'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign(event.id, sentAt, body),
        ...(requestId ? { 'x-request-id': requestId } : {}),
        ...(header_name && header_value ? { [header_name]: header_value } : {}),
      },
    });
    if (status >= 200 && status < 300) return null;
    if (isRefusal(status)) return failed(`The endpoint rejected the event with HTTP ${status}.`, false);
    return failed(`The endpoint returned HTTP ${status}.`, true, retryAfterSeconds(retryAfter));
  } catch (error) {
    if (error instanceof PrivateAddressError) {
      return failed('The name of the endpoint resolves to an address in a private network.', false);
    }
    const reason = timeout.aborted ? `did not respond within ${TIMEOUT_MS / 1000} s` : 'could not be reached';
    return failed(`The endpoint ${reason}.`, true);
  }
}

async function deliver(item: WorkItem, signal: AbortSignal): Promise<WorkOutcome> {
  const args = { p_delivery: item.subjectId, p_run: item.run };
  const found = await callRpc('event_to_send', args, delivery.nullable());
  if (!found) return { type: 'closed' };
  const lease = { p_id: item.id, p_token: item.leaseToken };
  if (found.is_paused) {
    dataOf(await adminDb().rpc('event_held', lease));
    return { type: 'closed' };
  }
  const outcome = await withSpan('dispatch', { type: found.type }, async ({ label, note, fail }) => {
    note({ event: found.event_id, attempt: item.attempt });
    const failure = await post(found, signal);
    label({ outcome: failure?.type === 'failed' ? failure.code : 'delivered' });
    if (failure?.type === 'failed') fail(failure.error);
    return failure;
  });
  if (outcome) return outcome;
  dataOf(await adminDb().rpc('event_delivered', lease));
  return { type: 'closed' };
}

/** Sends one event to one endpoint. Follows Standard Webhooks and signs the event with the endpoint's own secret. */
export const deliverEvent: WorkHandler = Object.assign(deliver, { parallel: PARALLEL });
