import type { z } from 'zod';
import type { Json, SchemaCollection } from '@/lib/http/openapi/components';
import { imageTrigger } from '@/lib/image-gen/trigger-schema';
import { specTrigger } from '@/lib/specs/trigger-schema';
import { examples } from './examples';

const headers = [
  ['webhook-id', 'The same on every try of a run: take it once.'],
  ['webhook-timestamp', 'Seconds since 1970. Refuse what is older than five minutes.'],
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
      description: `Answer any 2xx within 10 seconds, and report later to \`callback.url\` (${callback}) with the secret in the header \`x-webhook-secret\`.`,
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
          description: 'WORKFLOW_TOKEN, where it is set: for a service that cannot check signatures.',
          schema: { type: 'string' },
        },
        {
          name: 'x-request-id',
          in: 'header',
          required: false,
          description: 'The request that ordered the run; worth noting in your log.',
          schema: { type: 'string' },
        },
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: schemas.add(schema, 'output'), example: examples[name]?.body },
        },
      },
      responses: {
        '2XX': { description: 'Taken: the run is under way until its callback, or the deadline.' },
        '4XX': { description: 'Refused: the run fails at once. 408, 425 and 429 count as passing failures.' },
        '5XX': { description: 'A passing failure: sent again later, never before `Retry-After`.' },
      },
    },
  };
}

/** What we send to the workflow service. */
export function webhooks(schemas: SchemaCollection): Json {
  return {
    specTrigger: webhook(
      {
        name: 'specTrigger',
        summary: 'A spec PDF is to be processed.',
        callback: '`POST /api/admin/specs/callback?run=…`',
        schema: specTrigger,
      },
      schemas,
    ),
    imageTrigger: webhook(
      {
        name: 'imageTrigger',
        summary: 'Images are to be generated or refined.',
        callback: '`POST /api/image-gen/callback?run=…`',
        schema: imageTrigger,
      },
      schemas,
    ),
  };
}
