import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import { uuid } from '@/lib/http/uuid';
import { callRpc } from '@/lib/supabase/call-rpc';
import { endpointUrlProblem } from './endpoint-url';
import { type CreatedEndpoint, type CreateEndpointBody, MAX_ENDPOINTS } from './schema';

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('created'), id: uuid }),
  z.object({ outcome: z.literal('too_many') }),
]);

/**
 * Adds an endpoint. Returns its id and its new secret, which cannot be read again later. Throws `invalid_request` if
 * events must not be sent to the URL, or `state_conflict` if there are too many endpoints.
 */
export async function createEndpoint({
  name,
  url,
  events,
  header,
}: CreateEndpointBody): Promise<CreatedEndpoint> {
  const message = endpointUrlProblem(url);
  if (message) {
    throw new HttpError('invalid_request', `url ${message}.`, { errors: [{ path: 'url', message }] });
  }
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const args = { p_name: name, p_url: url, p_events: events, p_secret: secret, p_max: MAX_ENDPOINTS };
  const headerArgs = { p_header_name: header?.name, p_header_value: header?.value };
  const result = await callRpc('create_event_endpoint', { ...args, ...headerArgs }, outcome);
  if (result.outcome === 'too_many') {
    throw new HttpError(
      'state_conflict',
      `There can be at most ${MAX_ENDPOINTS} endpoints. Delete one first.`,
    );
  }
  return { id: result.id, secret };
}
