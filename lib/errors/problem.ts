import { isDiskFull } from './error-parts';

/**
 * The status and title (RFC 9457) of every error that a client can get, keyed by error code. The code of an `HttpError`
 * determines its status and title.
 */
export const problems = {
  invalid_request: [400, 'The request is not valid'],
  invalid_json: [400, 'The body is not valid JSON'],
  invalid_multipart: [400, 'The form is not valid'],
  invalid_pdf: [400, 'The file is not a usable PDF'],
  invalid_image: [400, 'The file is not a usable image'],
  invalid_font: [400, 'The file is not a usable font'],
  unknown_brand: [400, 'There is no such brand'],
  unknown_area: [400, 'There is no such area'],
  unknown_account: [400, 'There is no such account'],
  wrong_password: [400, 'The current password is wrong'],
  unauthenticated: [401, 'Sign in first'],
  invalid_secret: [401, 'The secret is missing or wrong'],
  forbidden: [403, 'This is not allowed for your account'],
  bad_origin: [403, 'The request comes from another site'],
  not_found: [404, 'Not found'],
  method_not_allowed: [405, 'The method is not allowed'],
  too_slow: [408, 'The body stopped arriving'],
  already_exists: [409, 'It already exists'],
  duplicate_file: [409, 'This file already exists'],
  run_in_progress: [409, 'A run is in progress'],
  state_conflict: [409, 'Not possible in the current state'],
  project_closed: [409, 'The project cannot be changed'],
  document_archived: [409, 'The document is archived'],
  idempotency_mismatch: [409, 'The idempotency key was used for another request'],
  too_large: [413, 'The body is too large'],
  unsupported_media_type: [415, 'The content type is not supported'],
  rate_limited: [429, 'Too many requests'],
  internal: [500, 'Something went wrong on our side'],
  unavailable: [503, 'A required service is unavailable'],
} as const satisfies Record<string, readonly [number, string]>;

export type ProblemCode = keyof typeof problems;

/** Returns whether a string is an error code. */
export function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(problems, text);
}

/** What people read when something cannot be saved for lack of space. */
export const DISK_FULL =
  'The disk of the server is full. Try again after an administrator has freed some space.';

/** One invalid field: its path in the request, and a human-readable message. */
export type FieldError = { path: string; message: string };

/** The body of every error response of the API, sent as `application/problem+json`. */
export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  requestId: string;
  errors?: FieldError[];
} & Record<string, unknown>;

type ProblemExtra = {
  /** Additional members of the response body, such as the id of an existing record. */
  members?: Record<string, unknown>;
  errors?: FieldError[];
  /** Whole seconds, sent as `Retry-After`. */
  retryAfter?: number;
  headers?: Record<string, string>;
  /** For the log only; never sent to the client. */
  cause?: unknown;
};

/** An error that becomes an error response. `detail` is shown to the user. */
export class HttpError extends Error {
  readonly code: ProblemCode;
  readonly extra: ProblemExtra;

  constructor(code: ProblemCode, detail?: string, extra: ProblemExtra = {}) {
    super(detail ?? `${problems[code][1]}.`, { cause: extra.cause });
    this.name = 'HttpError';
    this.code = code;
    this.extra = extra;
  }

  get status(): number {
    return problems[this.code][0];
  }
}

/**
 * Returns whether an error is an HttpError, judging by its name and code. Each bundle has its own copy of the class, so
 * `instanceof` would miss an error created in another bundle.
 */
export function isHttpError(error: unknown): error is HttpError {
  if (!(error instanceof Error) || error.name !== 'HttpError' || !('code' in error)) return false;
  return isProblemCode(String(error.code));
}

/** Returns the error to send after any error: an HttpError itself, unless a full disk caused it, or else `internal`. */
export function httpErrorOf(error: unknown): HttpError {
  if (isHttpError(error) && error.status < 500) return error;
  if (isDiskFull(error)) {
    return new HttpError('unavailable', DISK_FULL, { retryAfter: 30, cause: error });
  }
  return isHttpError(error) ? error : new HttpError('internal', undefined, { cause: error });
}

/** Renders an error as an `application/problem+json` response. */
export function problemResponse(error: HttpError, requestId: string): Response {
  const [status, title] = problems[error.code];
  const body: Problem = {
    ...error.extra.members,
    type: `urn:atelier:problem:${error.code}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    requestId,
    ...(error.extra.errors ? { errors: error.extra.errors } : {}),
  };
  const headers = new Headers(error.extra.headers);
  headers.set('content-type', 'application/problem+json');
  headers.set('cache-control', 'no-store');
  headers.set('x-request-id', requestId);
  if (error.extra.retryAfter !== undefined) headers.set('retry-after', String(error.extra.retryAfter));
  return new Response(JSON.stringify(body), { status, headers });
}
