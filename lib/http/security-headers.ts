/** What the policy of a page depends on. */
export type PolicyOptions = {
  /** Unique to this request; base64. */
  nonce: string;
  supabaseUrl: string;
  /** Origins besides Supabase that images come from. */
  imageOrigins: string[];
  /** React's development build uses `eval`. */
  isDevelopment: boolean;
};

/**
 * The Content-Security-Policy of a page. Only scripts with the request's nonce run, and scripts that these load.
 * Inline styles stay allowed, because Mantine and React write them as attributes, for which no nonce exists.
 */
export function pagePolicy({ nonce, supabaseUrl, imageOrigins, isDevelopment }: PolicyOptions): string {
  const { origin } = new URL(supabaseUrl);
  const directives: Record<string, string[]> = {
    'default-src': ["'self'"],
    'script-src': [
      "'self'",
      `'nonce-${nonce}'`,
      "'strict-dynamic'",
      ...(isDevelopment ? ["'unsafe-eval'"] : []),
    ],
    'style-src': ["'self'", "'unsafe-inline'"],
    'connect-src': ["'self'", origin, origin.replace(/^http/, 'ws')],
    'img-src': ["'self'", 'data:', 'blob:', origin, ...imageOrigins],
    'frame-src': ["'self'"],
    'frame-ancestors': ["'none'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');
}

/** For data: opened as a page it can load and run nothing, and it cannot be framed. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const always = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'permissions-policy':
    'accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
};

/** Whether the browser reached us, or the proxy in front of us, over HTTPS. */
export function isHttps(request: Headers): boolean {
  return request.get('x-forwarded-proto')?.split(',')[0]?.trim() === 'https';
}

/**
 * Adds the headers that all responses carry, except those already set. A response without a policy of its own gets the
 * one for plain data. Strict-Transport-Security is only sent over HTTPS, because browsers ignore it elsewhere.
 */
export function secureResponse<R extends Response>(response: R, request: Headers): R {
  const wanted: Record<string, string> = {
    ...always,
    'content-security-policy': dataPolicy,
    ...(isHttps(request) ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
  for (const [name, value] of Object.entries(wanted)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  return response;
}
