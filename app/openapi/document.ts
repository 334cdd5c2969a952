import { serverEnv } from '@/lib/env/server';
import { version } from '@/lib/env/version';
import { collectSchemas, type Json } from '@/lib/http/openapi/components';
import { operation, operationId } from '@/lib/http/openapi/operation';
import { idempotencyKeyFormat } from '@/lib/http/route';
import { examples } from './examples';
import { names } from './names';
import { routeFiles } from './routes';
import { webhooks } from './webhooks';

const tags: [prefix: string, name: string, description: string][] = [
  ['/api/admin/brands', 'Brands and areas', 'The names that specs are filed under.'],
  ['/api/admin/areas', 'Brands and areas', ''],
  ['/api/admin/specs', 'Specs', 'Spec PDFs and their processing by the workflow service.'],
  [
    '/api/admin/workflow',
    'Workflow service',
    'Triggers sent to the workflow service, its callbacks, and events.',
  ],
  ['/api/workflow-kit', 'Workflow service', ''],
  ['/api/tokens', 'Access tokens', 'Tokens with which scripts and other systems call this API.'],
  ['/api/admin/tokens', 'Access tokens', ''],
  ['/api/account', 'People', 'Accounts with their names, pictures, roles and passwords.'],
  ['/api/people', 'People', ''],
  ['/api/admin/people', 'People', ''],
  ['/api/admin/activity', 'Activity', 'The audit log: who did what.'],
  ['/api/projects', 'Projects', 'Projects with their members, images, pages and share links.'],
  ['/api/image-gen', 'Image generation', 'Conversations that generate and refine images.'],
  ['/api/export', 'PDF export', 'Documents as PDF.'],
  ['/api/matlib', 'Materials', 'The material library, cached and normalized.'],
  ['/api/', 'Service', 'Health, scheduled work and this document.'],
];

const string = { type: 'string' };

const session = {
  type: 'apiKey',
  in: 'cookie',
  description:
    'The session cookie of the pages, set by signing in. A long one is divided into cookies whose names end in `.0`, `.1` and so on. A request that changes something must come from our own pages.',
};

const components = {
  securitySchemes: {
    token: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The access token of a Supabase session, valid for an hour.',
    },
    accessToken: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'atl_…',
      description:
        'An access token from the Access tokens page, for scripts and other systems: `curl -H "Authorization: Bearer atl_…" …/api/projects`. It has the rights of its owner or service, at most those of its role, until it expires or is revoked. Where no project is concerned, the roles viewer and editor can only read.',
    },
    specSecret: { type: 'apiKey', in: 'header', name: 'x-webhook-secret', description: 'WEBHOOK_SECRET.' },
    imageSecret: {
      type: 'apiKey',
      in: 'header',
      name: 'x-webhook-secret',
      description: 'IMAGE_WEBHOOK_SECRET.',
    },
    cronSecret: { type: 'http', scheme: 'bearer', description: 'CRON_SECRET.' },
  },
  parameters: {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'Within a day, the same key and body get the same response; the same key with another body gets 409.',
      schema: { type: 'string', pattern: idempotencyKeyFormat.source },
    },
  },
  headers: {
    RequestId: { description: 'Identifies this call in our log.', schema: string },
    RetryAfter: { description: 'Whole seconds to wait.', schema: { type: 'integer' } },
    Location: { description: 'URL of the started or created resource.', schema: string },
    ETag: { description: 'For `If-None-Match`.', schema: string },
    CacheControl: { description: 'How long the response may be cached.', schema: string },
  },
};

const description = `The media, export and administration service of a design studio.

Bodies are JSON unless stated otherwise; times are ISO 8601 in UTC with milliseconds. An optional field or query parameter may be absent, \`null\` or an empty string, which all mean the same, so that the response of a GET can be sent back. A name that differs from a known one only in case, underscores, hyphens or brackets is refused, except in callbacks, where it is taken as it is meant; other unknown names are ignored. A JSON body can be compressed (gzip, deflate or br), and needs its content type only in a call with the session cookie. Lists are sorted newest first and returned in pages: request the next page with \`cursor\` set to \`nextCursor\`.
Every error is \`application/problem+json\` (RFC 9457) with a \`code\` from one closed table.
A signed URL in a response is valid for an hour, that of a finished PDF for 15 minutes.`;

/** The settings that appear in the document. */
type Settings = { appUrl: string; supabaseUrl: string };

/** Builds the OpenAPI document from the routes' declarations. */
export async function buildDocument({ appUrl, supabaseUrl }: Settings) {
  const schemas = collectSchemas(names);
  const paths: Record<string, Json> = {};
  for (const [path, load] of Object.entries(routeFiles)) {
    const tag = tags.find(([prefix]) => path.startsWith(prefix))?.[1] ?? 'Service';
    for (const [method, { facts }] of Object.entries(await load())) {
      if (!facts) continue;
      const example = examples[operationId(method, path)];
      paths[path] = {
        ...paths[path],
        [method.toLowerCase()]: operation({ method, path, facts, tag, example }, schemas),
      };
    }
  }
  return Object.freeze(
    schemas.finish({
      openapi: '3.1.1',
      info: { title: 'Atelier', version, description },
      servers: [{ url: appUrl }],
      tags: tags.filter(([, , text]) => text).map(([, name, text]) => ({ name, description: text })),
      paths,
      webhooks: webhooks(schemas),
      components: {
        ...components,
        securitySchemes: {
          session: { ...session, name: `sb-${new URL(supabaseUrl).hostname.split('.')[0]}-auth-token` },
          ...components.securitySchemes,
        },
      },
    }),
  );
}

let built: ReturnType<typeof buildDocument> | undefined;

/** Returns the OpenAPI document of this deployment, frozen. It is built on the first call. */
export function openApiDocument(): ReturnType<typeof buildDocument> {
  const { APP_URL: appUrl, NEXT_PUBLIC_SUPABASE_URL: supabaseUrl } = serverEnv();
  built ??= buildDocument({ appUrl, supabaseUrl });
  return built;
}
