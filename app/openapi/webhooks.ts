import type { z } from 'zod';
import { outgoingEvent } from '@/lib/event-endpoints/event-schema';
import type { Json, SchemaCollection } from '@/lib/http/openapi/components';
import { imageTrigger } from '@/lib/image-gen/trigger-schema';
import { specTrigger } from '@/lib/specs/trigger-schema';
import { examples } from './examples';

const headers = [
  ['webhook-id', 'The same for every attempt of a run: ignore a repeat.'],
  ['webhook-timestamp', 'Seconds since 1970. Reject a trigger that is older than five minutes.'],
  [
    'webhook-signature',
    'Standard Webhooks: `v1,` and the base64 of HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}`, keyed with the bytes of WORKFLOW_SIGNING_SECRET.',
  ],
] as const;

function webhook(
  { name, summary, callback, schema }: { name: string; summary: string; callback: string; schema: z.ZodType },
  schemas: SchemaCollection,
): Json {
  return {
    post: {
      operationId: name,
      tags: ['Workflow service'],
      summary,
      description: `Respond with any 2xx within 10 seconds, and report the result later to \`callback.url\` (${callback}) with the secret in the header \`x-webhook-secret\`. Progress can be reported there before, with the status \`running\`.`,
      security: [],
      parameters: [
        ...headers.map(([header, description]) => ({
          name: header,
          in: 'header',
          required: true,
          description,
          schema: { type: 'string' },
        })),
        {
          name: 'x-workflow-token',
          in: 'header',
          required: false,
          description: 'WORKFLOW_TOKEN, if it is set: for a service that cannot verify signatures.',
          schema: { type: 'string' },
        },
        {
          name: 'x-request-id',
          in: 'header',
          required: false,
          description: 'The id of the request that started the run; useful in your log.',
          schema: { type: 'string' },
        },
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: schemas.add(schema, 'response'), example: examples[name]?.body },
        },
      },
      responses: {
        '2XX': {
          description:
            'Accepted: the run is in progress until its callback or its deadline. Once a URL has responded `{ "accepted": true }`, a 2xx without it counts as a temporary failure, until such responses have come for ten minutes. A text that says that the service is starting always counts as one.',
        },
        '4XX': {
          description:
            'Rejected: the run fails at once, with the `message`, `error` or `detail` of a JSON body as the reason. 404, 408, 425 and 429 count as temporary failures.',
        },
        '5XX': {
          description: 'A temporary failure: the trigger is sent again later, never before `Retry-After`.',
        },
      },
    },
  };
}

const eventHeaders = [
  ['webhook-id', 'The same for every attempt of an event: ignore a repeat.'],
  ['webhook-timestamp', 'Seconds since 1970. Reject an event that is older than five minutes.'],
  [
    'webhook-signature',
    "Standard Webhooks, like that of a trigger, but keyed with the endpoint's own secret.",
  ],
] as const;

function eventWebhook(schemas: SchemaCollection): Json {
  return {
    post: {
      operationId: 'event',
      tags: ['Workflow service'],
      summary: 'Notifies an endpoint that a spec, image or export has completed or failed.',
      description:
        'Sent to the endpoints that administrators add. Respond with any 2xx within 10 seconds. The events of one spec, image job or export arrive in their order. An endpoint can have a header of its own, such as a token, which every event carries.',
      security: [],
      parameters: eventHeaders.map(([name, description]) => ({
        name,
        in: 'header',
        required: true,
        description,
        schema: { type: 'string' },
      })),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: schemas.add(outgoingEvent, 'response'),
            example: examples.event?.body,
          },
        },
      },
      responses: {
        '2XX': { description: 'Accepted.' },
        '4XX': {
          description:
            'Rejected: the delivery fails at once. 404, 408, 425 and 429 count as temporary failures.',
        },
        '5XX': { description: 'A temporary failure: sent again later, never before `Retry-After`.' },
      },
    },
  };
}

/** Returns the OpenAPI entries for outgoing requests: triggers to the workflow service, and events to endpoints. */
export function webhooks(schemas: SchemaCollection): Json {
  return {
    specTrigger: webhook(
      {
        name: 'specTrigger',
        summary: 'Process a spec PDF.',
        callback: '`POST /api/admin/specs/callback?run=…`',
        schema: specTrigger,
      },
      schemas,
    ),
    imageTrigger: webhook(
      {
        name: 'imageTrigger',
        summary: 'Generate or refine images.',
        callback: '`POST /api/image-gen/callback?run=…`',
        schema: imageTrigger,
      },
      schemas,
    ),
    event: eventWebhook(schemas),
  };
}
