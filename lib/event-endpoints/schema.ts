import { z } from 'zod';
import { flagParam } from '@/lib/http/flag-param';
import { cursorParam, limitParam } from '@/lib/http/page';
import { text } from '@/lib/http/text';
import { time } from '@/lib/http/time';
import { uuid } from '@/lib/http/uuid';

export const eventTypes = [
  'spec.completed',
  'spec.failed',
  'image.succeeded',
  'image.failed',
  'export.completed',
  'export.failed',
] as const;
export const eventType = z.enum(eventTypes);
export type EventType = z.infer<typeof eventType>;

export const MAX_ENDPOINTS = 50;

const endpointUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .max(2000, 'must have at most 2000 characters')
  .refine((value) => {
    const url = URL.canParse(value) ? new URL(value) : null;
    return !url?.username && !url?.password;
  }, 'must not contain a user name or password');

const endpointName = text({ max: 120 });
const endpointEvents = z
  .array(eventType)
  .min(1, 'must name at least one event')
  .max(eventTypes.length)
  .transform((types) => eventTypes.filter((type) => types.includes(type)))
  .meta({
    json: {
      type: 'array',
      items: { type: 'string', enum: eventTypes },
      minItems: 1,
      maxItems: eventTypes.length,
    },
  });

/** Headers that Atelier sets itself, and those that are about the connection (RFC 9110, section 7.6.1). */
const reservedHeader =
  /^(webhook-.*|content-.*|proxy-.*|user-agent|x-request-id|host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect)$/i;
const headerName = z
  .string()
  .trim()
  .max(100, 'must have at most 100 characters')
  .regex(/^[!#$%&'*+.^_`|~0-9a-z-]+$/i, 'must be the name of a header, such as x-token')
  .refine((name) => !reservedHeader.test(name), 'must not be a header that is already in use');
const headerValue = z
  .string()
  .trim()
  .min(1, { error: 'must not be empty', abort: true })
  .max(500, 'must have at most 500 characters')
  .regex(/^[\x20-\x7e]+$/, 'must be visible ASCII characters')
  .meta({ description: 'A secret: no response contains it.' });

/** The body of `POST /api/admin/workflow/endpoints`. Events carry `header`, so that the receiver can check it. */
export const createEndpointBody = z.object({
  name: endpointName,
  url: endpointUrl,
  events: endpointEvents,
  header: z.object({ name: headerName, value: headerValue }).optional(),
});
export type CreateEndpointBody = z.output<typeof createEndpointBody>;

/** The body of `PATCH /api/admin/workflow/endpoints/{id}`. */
export const changeEndpointBody = z.object({
  name: endpointName,
  events: endpointEvents,
  header: z
    .object({ name: headerName, value: headerValue.optional() })
    .nullable()
    .meta({ description: 'Without `value`, the value stays as it is. Null removes the header.' }),
});
export type ChangeEndpointBody = z.output<typeof changeEndpointBody>;

/** An endpoint that receives events, without its secret and the value of its header. */
export const eventEndpoint = z.object({
  id: uuid,
  name: z.string(),
  url: z.string(),
  events: z.array(eventType),
  headerName: z.string().nullable(),
  /** The time of the first failed delivery since the last success or resumption; null if there is none. */
  failingSince: time.nullable(),
  /** Why the most recent failed delivery failed; null if `failingSince` is null. */
  lastError: z.string().nullable(),
  /** When Atelier paused the endpoint because its deliveries had failed for a day; null if it is not paused. */
  pausedAt: time.nullable(),
  createdAt: time,
});
export type EventEndpoint = z.infer<typeof eventEndpoint>;
export const endpointsResponse = z.object({ endpoints: z.array(eventEndpoint) });

/** The only response that contains the endpoint's secret. Atelier signs the endpoint's events with it. */
export const createdEndpoint = z.object({ id: uuid, secret: z.string() });
export type CreatedEndpoint = z.infer<typeof createdEndpoint>;

export const endpointParams = z.object({ id: uuid });
/** `queued` is the number of deliveries that were queued again. */
export const resumedResponse = z.object({ id: uuid, queued: z.int() });

export const deliveryStates = ['pending', 'delivered', 'failed', 'held'] as const;
export const deliveryState = z.enum(deliveryStates);
export type DeliveryState = z.infer<typeof deliveryState>;

/** The delivery of one event to one endpoint. */
export const eventDelivery = z.object({
  id: uuid,
  /** The event's id, which is the same for all endpoints. The `webhook-id` header is `event_` plus this id. */
  eventId: uuid,
  type: eventType,
  /** The id of the spec upload, image job or export job. */
  subjectId: uuid,
  run: z.int(),
  /** The file name of the spec or the start of the image's prompt; null for an export. */
  label: z.string().nullable(),
  endpointId: uuid,
  endpointName: z.string(),
  /** A `held` delivery waits until its paused endpoint is resumed. */
  state: deliveryState,
  /** The number of attempts since the delivery was last queued. */
  attempts: z.int(),
  /** Why the last attempt failed. */
  reason: z.string().nullable(),
  nextAttemptAt: time.nullable(),
  createdAt: time,
  finishedAt: time.nullable(),
  canSendAgain: z.boolean(),
});
export type EventDelivery = z.infer<typeof eventDelivery>;
export const deliveriesResponse = z.object({
  deliveries: z.array(eventDelivery),
  nextCursor: z.string().nullable(),
});
export type DeliveriesResponse = z.infer<typeof deliveriesResponse>;

/**
 * The query of `GET /api/admin/workflow/deliveries`. `trouble=true` returns only deliveries in the state `failed` or
 * `held`, and pending ones with a failed attempt.
 */
export const listDeliveriesQuery = z.object({
  endpoint: uuid.optional(),
  trouble: flagParam,
  limit: limitParam,
  cursor: cursorParam,
});
export type ListDeliveriesQuery = z.output<typeof listDeliveriesQuery>;

export const deliveryParams = z.object({ id: uuid });
export const sentAgainResponse = z.object({ id: uuid, state: z.literal('pending') });
