import type { z } from 'zod';
import type { FieldError, Problem } from '@/lib/errors/problem';
import { parseRetryAfter } from './retry-after';

const MAX_WAIT_MS = 24 * 60 * 60_000;

/** An error response from Atelier's API. `message` is shown to the user. */
export class ApiError extends Error {
  readonly status: number;
  readonly problem: Partial<Problem>;
  /** Whole seconds to wait before trying again, from `Retry-After`; null if the header is missing or invalid. */
  readonly retryAfterS: number | null;

  constructor(status: number, problem: Partial<Problem>, retryAfter: string | null = null) {
    super(problem.detail ?? problem.title ?? `The server returned status ${status}.`);
    this.name = 'ApiError';
    this.status = status;
    this.problem = problem;
    const waitMs = parseRetryAfter(retryAfter, Date.now(), MAX_WAIT_MS);
    this.retryAfterS = waitMs === null ? null : Math.ceil(waitMs / 1000);
  }

  get code(): string | undefined {
    return this.problem.code;
  }

  get fieldErrors(): FieldError[] {
    return this.problem.errors ?? [];
  }
}

/** Thrown when no complete response arrives, because the network or the server is unavailable. */
export class OfflineError extends Error {
  constructor(cause?: unknown) {
    super('No connection to the server.', { cause });
    this.name = 'OfflineError';
  }
}

type CallOptions<Schema extends z.ZodType> = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The request body, sent as JSON. */
  body?: unknown;
  /** The schema of the response body. For a 204, it must accept `undefined`. */
  schema: Schema;
  idempotencyKey?: string;
  signal?: AbortSignal;
};

/** Parses the problem in an error response; a body in any other format becomes an empty problem. */
export function parseProblem(text: string): Partial<Problem> {
  try {
    const value: unknown = JSON.parse(text);
    return value && typeof value === 'object' ? (value as Partial<Problem>) : {};
  } catch {
    return {};
  }
}

/**
 * Calls one of Atelier's routes from the browser and parses the response. Throws `ApiError` for an error response,
 * `OfflineError` if no complete response arrives, or the abort reason of `signal` if it was aborted.
 */
export async function callApi<Schema extends z.ZodType>(
  path: string,
  { method = 'GET', body, schema, idempotencyKey, signal }: CallOptions<Schema>,
): Promise<z.output<Schema>> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(path, {
      method,
      signal,
      cache: 'no-store',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    text = await response.text();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new OfflineError(error);
  }
  if (!response.ok)
    throw new ApiError(response.status, parseProblem(text), response.headers.get('retry-after'));
  return schema.parse(text === '' ? undefined : JSON.parse(text));
}
