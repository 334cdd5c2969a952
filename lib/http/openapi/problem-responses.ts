import { z } from 'zod';
import { type Access, projectRoles } from '@/lib/auth/access';
import { type ProblemCode, problems } from '@/lib/errors/problem';
import type { RouteFacts } from '../route';
import type { Json } from './components';

const codes = Object.keys(problems) as [ProblemCode, ...ProblemCode[]];

/** The body of every error response. Some errors add members, such as the current state for a conflict. */
export const problemSchema = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.enum(codes),
  requestId: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

function ofAccess(access: Access, method: string): ProblemCode[] {
  if (access === 'public') return [];
  if (access === 'cron' || access === 'spec-workflow' || access === 'image-workflow') {
    return ['invalid_secret', 'unavailable'];
  }
  const found: ProblemCode[] = ['unauthenticated', 'rate_limited', 'unavailable'];
  if (method !== 'GET') found.push('bad_origin');
  if (access === 'admin' || access === 'admin-session' || access === 'session') found.push('forbidden');
  // To write, an access token needs at least the role `owner`.
  if (access === 'signed-in' && method !== 'GET') found.push('forbidden');
  // Non-members get `not_found`; members whose role is too weak get `forbidden`.
  if ((projectRoles as readonly Access[]).includes(access)) found.push('not_found');
  if (access === 'editor' || access === 'owner') found.push('forbidden');
  // An archived project cannot be changed.
  if (access === 'editor' && method !== 'GET') found.push('project_closed');
  return found;
}

/**
 * Returns every error code that a route can send: the codes in its `docs`, and those that follow from the rest of its
 * config.
 */
export function problemCodes(method: string, facts: RouteFacts): ProblemCode[] {
  const found = new Set<ProblemCode>([...ofAccess(facts.access, method), 'internal']);
  const add = (...more: ProblemCode[]) => {
    for (const code of more) found.add(code);
  };
  if (facts.params || facts.query || facts.body || facts.form || facts.idempotent) add('invalid_request');
  if (facts.body) add('invalid_json');
  if (facts.form) add('invalid_multipart');
  if (facts.body || facts.form) add('too_large', 'too_slow', 'unsupported_media_type');
  if (facts.idempotent) add('idempotency_mismatch');
  add(...(facts.docs?.codes ?? []));
  return codes.filter((code) => found.has(code));
}

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });

/** Returns a route's error responses by status, each with its possible codes. `problem` is the schema of the body. */
export function problemResponses(method: string, facts: RouteFacts, problem: Json): Record<string, Json> {
  const byStatus = Map.groupBy(problemCodes(method, facts), (code) => problems[code][0]);
  const responses = [...byStatus].map(([status, own]) => {
    const waits = status === 429 || status >= 502;
    return [
      String(status),
      {
        description: own.map((code) => problems[code][1]).join('; '),
        headers: {
          'x-request-id': header('RequestId'),
          ...(waits ? { 'retry-after': header('RetryAfter') } : {}),
        },
        content: {
          'application/problem+json': { schema: { ...problem, properties: { code: { enum: own } } } },
        },
      },
    ] as const;
  });
  return Object.fromEntries(responses);
}
