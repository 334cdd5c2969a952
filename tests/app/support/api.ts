import { expect } from 'vitest';
import { z } from 'zod';
import { type ProblemCode, problems } from '@/lib/errors/problem';

export type ApiResponse = { status: number; headers: Headers; text: string; body: unknown };
export type CallOptions = {
  method?: string;
  /** Body to send as JSON; use `body` for anything else. */
  json?: unknown;
  body?: BodyInit;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};
/** Returns the beginning of a response, for the message of a failed expectation. */
export const excerpt = (result: ApiResponse): string => result.text.slice(0, 300);

export type Api = (path: string, options?: CallOptions) => Promise<ApiResponse>;

type Watcher = (method: string, path: string, result: ApiResponse) => void;
let watcher: Watcher | null = null;

/**
 * Makes all functions from `apiAt` pass every response to the watcher that `makeWatcher` returns. The watcher throws if
 * a response does not match the API's documentation. Does nothing if an earlier test file in this worker has already
 * set a watcher.
 */
export async function watchResponses(makeWatcher: () => Promise<Watcher>): Promise<void> {
  watcher ??= await makeWatcher();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns a function that calls paths of `url` with these headers and reads the whole response. If no method is given,
 * the method is POST for a call with a body and GET for a call without one.
 */
export function apiAt(url: string, headers: Record<string, string> = {}): Api {
  return async (path, options = {}) => {
    const { json, body = json === undefined ? undefined : JSON.stringify(json), signal } = options;
    const method = options.method ?? (body === undefined ? 'GET' : 'POST');
    const response = await fetch(`${url}${path}`, {
      method,
      body,
      signal,
      redirect: 'manual',
      // Node.js needs this if the body is a stream.
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
      headers: {
        // Compressing and decompressing the small responses takes longer than sending them uncompressed.
        'accept-encoding': 'identity',
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
        ...options.headers,
      },
    });
    const text = await response.text();
    const result = { status: response.status, headers: response.headers, text, body: parsed(text) };
    watcher?.(method, path, result);
    return result;
  };
}

const problemShape = z.looseObject({
  type: z.string(),
  title: z.string().min(1),
  status: z.int(),
  detail: z.string().min(1),
  code: z.string(),
  requestId: z.string().min(8),
  errors: z.array(z.strictObject({ path: z.string(), message: z.string().min(1) })).optional(),
});
export type ProblemResponse = z.infer<typeof problemShape>;

/**
 * Expects an error response in the standard shape, with a known code (one of `codes`, if any are given) and the
 * matching status.
 */
export function expectProblem(result: ApiResponse, ...codes: ProblemCode[]): ProblemResponse {
  expect(result.headers.get('content-type'), excerpt(result)).toBe('application/problem+json');
  const problem = problemShape.parse(result.body);
  expect(Object.keys(problems)).toContain(problem.code);
  if (codes.length > 0) expect(codes, excerpt(result)).toContain(problem.code);
  const [status, title] = problems[problem.code as ProblemCode];
  expect(problem).toMatchObject({ status, title, type: `urn:atelier:problem:${problem.code}` });
  expect(result.status).toBe(status);
  expect(result.headers.get('x-request-id')).toBe(problem.requestId);
  // Internals are never exposed: no stack trace, no SQL, no URL of a service.
  expect(result.text).not.toMatch(/\bat .+:\d+:\d+|select |insert |postgres|127\.0\.0\.1|node_modules/i);
  return problem;
}
