import type { z } from 'zod';
import type { Access } from '@/lib/auth/access';
import type { RouteFacts } from '../route';
import type { Json, SchemaCollection } from './components';
import { problemResponses, problemSchema } from './problem-responses';

/** Example bodies for a request and its response. */
export type Example = { body?: unknown; response?: unknown };

const session = [{ session: [] }, { token: [] }];
const signedIn = [...session, { accessToken: [] }];
const security: Record<Access, Json[]> = {
  public: [],
  'signed-in': signedIn,
  session,
  viewer: signedIn,
  editor: signedIn,
  owner: signedIn,
  admin: signedIn,
  'admin-session': session,
  'spec-workflow': [{ specSecret: [] }],
  'image-workflow': [{ imageSecret: [] }],
  cron: [{ cronSecret: [] }],
};

const who: Record<Access, string> = {
  public: 'No authentication needed.',
  'signed-in': 'For anyone who is signed in.',
  session: 'For anyone who is signed in. Access tokens are refused.',
  viewer: 'For project members with the role viewer or higher, and administrators.',
  editor: 'For project members with the role editor or owner, and administrators.',
  owner: 'For project owners and administrators.',
  admin: 'For administrators.',
  'admin-session': 'For administrators. Access tokens are refused.',
  'spec-workflow': 'For the workflow service. Requires the spec callback secret.',
  'image-workflow': 'For the workflow service. Requires the image callback secret.',
  cron: 'For the scheduler. Requires the cron secret.',
};

const words = (path: string) =>
  path
    .split('/')
    .slice(2)
    .flatMap((part) => part.replace(/^\{(.*)\}$/, 'by-$1').split(/[-.]/))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1));

/**
 * Derives an operation's name from its method and path. For example, `POST /api/admin/specs/upload` becomes
 * `postAdminSpecsUpload`.
 */
export function operationId(method: string, path: string): string {
  return method.toLowerCase() + words(path).join('');
}

/** Returns the fields of an object schema as parameters. */
function parameters(
  schema: z.ZodType | undefined,
  location: 'path' | 'query',
  schemas: SchemaCollection,
): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemas.add(schema, 'parameter') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, json]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    schema: json,
  }));
}

function requestBody(
  { body, interpretBody, form, maxBytes, anyContentType }: RouteFacts,
  example: Example,
  schemas: SchemaCollection,
) {
  const schema = body ?? form;
  if (!schema) return {};
  const media = body ? 'application/json' : 'multipart/form-data';
  const content = { schema: schemas.add(schema, body ? 'body' : 'form') };
  const withExample = example.body === undefined ? content : { ...content, example: example.body };
  const words = [
    ...(maxBytes ? [`At most ${maxBytes / 1024 / 1024} MiB.`] : []),
    ...(anyContentType ? ['Parsed as JSON, whatever the content type.'] : []),
    ...(interpretBody ? ['Other forms are accepted as far as their meaning is clear.'] : []),
  ];
  return {
    requestBody: {
      required: true,
      ...(words.length > 0 ? { description: words.join(' ') } : {}),
      content: { [media]: withExample },
    },
  };
}

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });

const file = { type: 'string', format: 'binary' };

function success(facts: RouteFacts, example: Example, schemas: SchemaCollection): Record<string, Json> {
  const { response, status, docs, hasLocation } = facts;
  const schema = response && (docs?.file ? file : schemas.add(response, 'response'));
  const json = schema && status !== 204 ? { schema } : null;
  const documented = {
    description: json ? 'Success.' : 'Success, without a body.',
    headers: {
      'x-request-id': header('RequestId'),
      ...(hasLocation ? { location: header('Location') } : {}),
      ...(docs?.cacheable ? { etag: header('ETag'), 'cache-control': header('CacheControl') } : {}),
    },
    ...(json && {
      content: {
        [docs?.media ?? 'application/json']:
          example.response === undefined ? json : { ...json, example: example.response },
      },
    }),
  };
  const unchanged = {
    description: 'Not modified: the cached response that `If-None-Match` names is current.',
  };
  return { [status]: documented, ...(docs?.cacheable ? { 304: unchanged } : {}) };
}

/** Builds a route's OpenAPI operation. `path` contains its parameters in braces. */
export function operation(
  {
    method,
    path,
    facts,
    tag,
    example = {},
  }: {
    method: string;
    path: string;
    facts: RouteFacts;
    tag: string;
    example?: Example;
  },
  schemas: SchemaCollection,
): Json {
  const all = [
    ...parameters(facts.params, 'path', schemas),
    ...parameters(facts.query, 'query', schemas),
    ...(facts.idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ];
  const problem = schemas.add(problemSchema, 'response');
  return {
    operationId: operationId(method, path),
    tags: [tag],
    summary: facts.summary,
    description: who[facts.access],
    security: security[facts.access],
    ...(all.length > 0 ? { parameters: all } : {}),
    ...requestBody(facts, example, schemas),
    responses: { ...success(facts, example, schemas), ...problemResponses(method, facts, problem) },
  };
}
