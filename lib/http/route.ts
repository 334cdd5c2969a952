import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { type Access, type ProjectRole, projectRoles } from '@/lib/auth/access';
import { authorize, type CallerOf } from '@/lib/auth/authorize';
import { type ProjectOf, requireProjectRole } from '@/lib/auth/project-role';
import { HttpError, httpErrorOf, type ProblemCode, problemResponse } from '@/lib/errors/problem';
import { withActor } from '@/lib/log/actor';
import { logError } from '@/lib/log/log-error';
import { type Log, logger } from '@/lib/log/logger';
import { requestIdOf, withRequestId } from '@/lib/log/request-id';
import { limitInProcess, limitShared, type RateClass } from '@/lib/rate-limit/limit';
import { withSpan } from '@/lib/telemetry/with-span';
import { type Cacheable, cacheableResponse, isCacheable } from './cacheable';
import type { Bytes } from './join-bytes';
import { parseInput, singleParams } from './parse';
import { contentEncoding, parseJson, readJsonBytes } from './read-json';
import { type ReservedMemory, reserveMemory } from './reserved-memory';
import { type NextContext, routeName } from './route-name';
import { inUploadSlot } from './upload-slots';

/** The argument of a route's handler: the caller, and the parsed parts of the request. */
export type RouteContext<A extends Access, Params, Query, Body> = {
  caller: CallerOf<A>;
  /** The project in which the caller has the required role. Null for a route without a project role. */
  projectId: A extends ProjectRole ? string : null;
  params: Params;
  query: Query;
  body: Body;
  /** The request itself, for a handler that needs its headers or signal, or reads a form as a stream. */
  request: Request;
  /**
   * `Idempotency-Key` and a hash of the JSON body; null if the client sent no key or the route ignores it. The hash
   * does not cover a form, so a handler that reads one must hash it itself.
   */
  idempotency: { key: string; bodySha256: string } | null;
  /** Counts the memory that the handler needs for documents. The memory is released when the call finishes. */
  memory: ReservedMemory;
  log: Log;
};

/** Facts that the OpenAPI document needs and the rest of the config does not contain. */
export type RouteDocs = {
  /** The route's own error codes. Those for access, parsing and rate limits follow from the rest of the config. */
  codes?: readonly ProblemCode[];
  /** The content type of a response that is not JSON. */
  media?: string;
  /** The response is a file of the type `media`. The schema only describes what the handler returns. */
  file?: true;
  /** The response has an ETag, and a client that already has the response gets a 304. */
  cacheable?: true;
};

/**
 * A call that was refused with a 4xx. `body` is undefined if the call was refused before its body was parsed, or if the
 * route has no JSON body or uses `parseBody`.
 */
export type Refused = { error: HttpError; body: unknown; request: Request; log: Log };

/** The definition of a route. `access` has no default, so that each route states who can call it. */
export type RouteConfig<
  A extends Access,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
  Body = z.output<B>,
> = {
  access: A;
  /**
   * Identifies the project of a route that requires a project role. The role is checked before the body is read, unless
   * the body names the project. Such a route calls `readBody` or, if it has `parseBody`, `readBytes`.
   */
  project?: (input: {
    params: z.output<P>;
    query: z.output<Q>;
    readBody: () => Promise<Body>;
    readBytes: () => Promise<Bytes>;
    userId: string;
  }) => ProjectOf | Promise<ProjectOf>;
  /** What the route does, in one sentence; shown in the OpenAPI document. */
  summary: string;
  docs?: RouteDocs;
  rate?: RateClass;
  /** The number of calls that a costly call counts as; default 1. */
  cost?: (body: Body) => number;
  /** Accepts an `Idempotency-Key`. For a repeated request, the handler must return the first response again. */
  idempotent?: true;
  params?: P;
  query?: Q;
  /** The JSON body. A route with `form` reads its multipart body itself. */
  body?: B;
  /**
   * Parses the bytes of the body. The schema in `body` is then only documentation. Must throw the same errors as the
   * usual parsing. The bytes count toward the memory limit for documents until the call finishes.
   */
  parseBody?: (bytes: Bytes, userId: string) => Promise<Body>;
  /**
   * Reads the JSON of the body, for a route that accepts more than it documents. The schema in `body` is then only
   * documentation, and characters that Postgres cannot store are replaced instead of refused.
   */
  interpretBody?: (json: unknown, query: z.output<Q>) => Body;
  form?: z.ZodType;
  maxBytes?: number;
  /** The maximum nesting depth of the JSON body; default 32. */
  maxDepth?: number;
  /**
   * Parses the body as JSON regardless of its content type. In a call with a token, that is always done. In a call with
   * a cookie, the content type shows that no form on another site sent the body.
   */
  anyContentType?: true;
  status: 200 | 201 | 202 | 204;
  response?: R;
  location?: (result: z.output<R>, params: z.output<P>) => string;
  /** Called before each 4xx is sent, with the parsed JSON body if there is one. Must not throw. */
  onRefused?: (refused: Refused) => Promise<void>;
  /** Turns the handler's result into a response that is not JSON. */
  respond?: (result: z.output<R>) => Response;
  /**
   * Returns the response body, or a `Cacheable` with the body. To send a body that has already been validated and
   * serialized, returns the bytes of its JSON in UTF-8.
   */
  handle: (
    context: RouteContext<A, z.output<P>, z.output<Q>, Body>,
  ) => Promise<Result<z.input<R>>> | Result<z.input<R>>;
};
type Result<Value> = Value | Cacheable<Value> | Bytes;
/** Holds a call's parsed JSON body, unless the route uses `parseBody`. */
type Seen = { body: unknown };

function isProjectRole(access: Access): access is ProjectRole {
  return (projectRoles as readonly Access[]).includes(access);
}

/** Returns a function that calls `read` the first time and always returns the same result. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= read();
    return result;
  };
}

const isForm = ({ headers }: Request) =>
  headers.get('content-type')?.toLowerCase().startsWith('multipart/form-data') === true;

/** The part of a route's config that the OpenAPI document is built from. */
export type RouteFacts = Pick<
  RouteConfig<Access, z.ZodType, z.ZodType, z.ZodType, z.ZodType>,
  | 'access'
  | 'summary'
  | 'docs'
  | 'rate'
  | 'idempotent'
  | 'params'
  | 'query'
  | 'body'
  | 'interpretBody'
  | 'form'
  | 'maxBytes'
  | 'maxDepth'
  | 'anyContentType'
  | 'status'
  | 'response'
> & { hasLocation: boolean };

export type RouteHandler = ((request: Request, next: NextContext) => Promise<Response>) & {
  facts?: RouteFacts;
};

export const idempotencyKeyFormat = /^[!-~]{1,200}$/;

function idempotencyKey(headers: Headers): string | null {
  const key = headers.get('idempotency-key');
  if (key !== null && !idempotencyKeyFormat.test(key)) {
    throw new HttpError('invalid_request', 'Idempotency-Key must be 1 to 200 visible ASCII characters.');
  }
  return key;
}

/**
 * Creates a route handler that checks access, applies the rate limit, parses the request, calls `handle` and
 * validates its result. This is the only place where a thrown error becomes a problem+json response.
 */
export function route<
  A extends Access,
  P extends z.ZodType = z.ZodUndefined,
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
  R extends z.ZodType = z.ZodVoid,
  Body = z.output<B>,
>(config: RouteConfig<A, P, Q, B, R, Body>): RouteHandler {
  const respond = async (request: Request, next: NextContext, log: Log, seen: Seen): Promise<Response> => {
    const caller = await authorize(config.access, request);
    const memory = reserveMemory('documents', caller?.userId ?? '');
    try {
      return await withActor(caller?.userId, () => respondToCaller(request, next, log, caller, memory, seen));
    } finally {
      memory.release();
    }
  };

  type Context = RouteContext<A, z.output<P>, z.output<Q>, Body>;
  const respondToCaller = async (
    request: Request,
    next: NextContext,
    log: Log,
    caller: CallerOf<A>,
    memory: ReservedMemory,
    seen: Seen,
  ): Promise<Response> => {
    const rate = config.rate ?? 'other';
    // Count the call in this process before parsing it. A costly call counts as `other` here, because the database
    // counts costly calls separately.
    if (caller) limitInProcess(rate === 'costly' ? 'other' : rate, caller.userId);
    const key = config.idempotent ? idempotencyKey(request.headers) : null;
    const params = config.params ? parseInput(config.params, await next.params) : undefined;
    const query = config.query
      ? parseInput(config.query, singleParams(new URL(request.url).searchParams))
      : undefined;
    if (config.form && !isForm(request)) {
      throw new HttpError('unsupported_media_type', 'Send the body as multipart/form-data.');
    }
    if (config.form) contentEncoding(request.headers, []);
    const input = { params, query } as { params: z.output<P>; query: z.output<Q> };
    const { access, maxBytes, parseBody, interpretBody } = config;
    const anyContentType = config.anyContentType || (caller !== null && caller.via !== 'cookie');
    const readBytes = once(() =>
      readJsonBytes(request, {
        maxBytes,
        anyContentType,
        userId: caller?.userId,
        memory: parseBody ? memory : undefined,
      }),
    );
    const readBody = once(async () => {
      if (!config.body) return undefined as Body;
      if (parseBody) return parseBody(await readBytes(), caller?.userId ?? '');
      const onUnstorable = interpretBody ? 'replace' : 'refuse';
      seen.body = parseJson(await readBytes(), config.maxDepth, onUnstorable);
      return interpretBody
        ? interpretBody(seen.body, input.query)
        : (parseInput(config.body, seen.body) as Body);
    });
    let projectId: string | null = null;
    if (isProjectRole(access)) {
      if (!caller || !config.project) throw new Error('A route with a project role must define its project.');
      const project = await config.project({ ...input, readBody, readBytes, userId: caller.userId });
      projectId = await requireProjectRole(caller, project, access);
    } else {
      // A call outside projects does not count if its body is invalid.
      await readBody();
    }
    if (caller && rate === 'costly') await limitShared(caller.userId, config.cost?.(await readBody()));
    const body = await readBody();
    const work = async (request: Request) =>
      config.handle({
        caller,
        projectId: projectId as Context['projectId'],
        ...input,
        body,
        request,
        idempotency: key
          ? {
              key,
              bodySha256: createHash('sha256')
                .update(parseBody ? await readBytes() : JSON.stringify(seen.body ?? null))
                .digest('hex'),
            }
          : null,
        memory,
        log,
      });
    const result = await (config.form
      ? inUploadSlot(request, access, caller?.userId ?? '', work)
      : work(request));
    const { response } = config;
    if (!response || config.status === 204) return new Response(null, { status: config.status });
    if (result instanceof Uint8Array) {
      const headers = { 'content-type': 'application/json', 'cache-control': 'private, no-store' };
      return new Response(result, { status: config.status, headers });
    }
    if (isCacheable(result)) {
      return cacheableResponse(request, config.status, result, (value) => response.parse(value));
    }
    const value = response.parse(result);
    if (config.respond) return config.respond(value);
    return Response.json(value, {
      status: config.status,
      headers: {
        'cache-control': 'private, no-store',
        ...(config.location ? { location: config.location(value, input.params) } : {}),
      },
    });
  };

  const handler: RouteHandler = async (request, next) => {
    const requestId = requestIdOf(request.headers);
    const startedAt = performance.now();
    const { method } = request;
    const path = new URL(request.url).pathname;
    const log = logger().child({ requestId, method, path });
    return withSpan(
      'request',
      { method, route: await routeName(path, next) },
      async ({ label, note, fail }) => {
        note({ requestId });
        let response: Response;
        const seen: Seen = { body: undefined };
        try {
          response = await withRequestId(requestId, () => respond(request, next, log, seen));
          response.headers.set('x-request-id', requestId);
        } catch (error) {
          const httpError = httpErrorOf(error);
          if (httpError.status >= 500) {
            logError(log, httpError, 'request failed');
            fail(httpError.code);
          } else await config.onRefused?.({ error: httpError, body: seen.body, request, log });
          response = problemResponse(httpError, requestId);
        }
        if (method === 'HEAD') {
          // Next neither sends nor cancels the body of a HEAD response, so its source would stay open. Canceling fails
          // only if the source has already failed.
          await response.body?.cancel().catch(() => {});
          response = new Response(null, response);
        }
        label({ status: response.status });
        log.info({ status: response.status, ms: Math.round(performance.now() - startedAt) }, 'request');
        return response;
      },
    );
  };
  const facts = { ...config, hasLocation: config.location !== undefined };
  return Object.assign(handler, { facts: facts as unknown as RouteFacts });
}

const methodNames = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type MethodName = (typeof methodNames)[number];

/**
 * Returns the exports of a route file: the given methods, a 405 handler for all other methods, and an OPTIONS handler.
 * The 405 handler and the OPTIONS handler send the same `Allow`. The OPTIONS handler that Next generates would list
 * every exported method, even those that are answered with a 405.
 */
export function methods(
  given: Partial<Record<MethodName | 'OPTIONS', RouteHandler>>,
): Record<MethodName | 'OPTIONS', RouteHandler> {
  const names = methodNames.filter((name) => given[name]);
  const allow = [...names, ...(given.GET ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  const options: RouteHandler = async () => new Response(null, { status: 204, headers: { allow } });
  const refuse: RouteHandler = async (request) => {
    const error = new HttpError('method_not_allowed', `Use ${names.join(' or ')}.`, { headers: { allow } });
    return problemResponse(error, requestIdOf(request.headers));
  };
  const served = Object.fromEntries(methodNames.map((name) => [name, given[name] ?? refuse]));
  return { ...(served as Record<MethodName, RouteHandler>), OPTIONS: given.OPTIONS ?? options };
}
