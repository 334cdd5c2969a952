/** The values that a page's policy depends on. */
export type PolicyOptions = {
  /** A base64 value unique to this request. */
  nonce: string;
  supabaseUrl: string;
  /** The origins besides Supabase from which pages load images. */
  imageOrigins: string[];
  /** Allows `eval`, which React's development build uses. */
  isDevelopment: boolean;
};

/**
 * Returns the Content-Security-Policy of a page. Only scripts with the request's nonce and the scripts that they load
 * can run. Inline styles stay allowed, because Mantine and React write them as attributes, which cannot have a nonce.
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
    'worker-src': ["'self'"],
    'frame-ancestors': ["'none'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');
}

/**
 * The policy of responses that are not pages. If a browser opens such a response as a page, the page cannot load or run
 * anything, and cannot be framed.
 */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const always = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'permissions-policy':
    'accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
};

/** Returns whether the browser reached this server, or the proxy in front of it, over HTTPS. */
export function isHttps(request: Headers): boolean {
  return request.get('x-forwarded-proto')?.split(',')[0]?.trim() === 'https';
}

/**
 * Adds the headers that all responses carry, except headers that are already set. A response without its own
 * Content-Security-Policy gets `dataPolicy`. Strict-Transport-Security is only sent over HTTPS, because browsers ignore
 * it over HTTP.
 */
export function secureResponse<R extends Response>(response: R, request: Headers): R {
  const defaults: Record<string, string> = {
    ...always,
    'content-security-policy': dataPolicy,
    ...(isHttps(request) ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
  for (const [name, value] of Object.entries(defaults)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  return response;
}
