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
 * anything, and cannot be framed. A worker whose script is such a response can run WebAssembly, as PDF.js does.
 */
const dataPolicy =
  "default-src 'none'; script-src 'wasm-unsafe-eval'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Returns whether the browser reached this server, or the proxy in front of it, over HTTPS. */
export function isHttps(forwardedProto: string | string[] | null | undefined): boolean {
  const [first = ''] = String(forwardedProto ?? '').split(',');
  return first.trim() === 'https';
}

/**
 * Returns the headers that all responses carry unless they set their own. Strict-Transport-Security is only sent over
 * HTTPS, because browsers ignore it over HTTP.
 */
export function securityHeaders(overHttps: boolean): Record<string, string> {
  return {
    'content-security-policy': dataPolicy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'permissions-policy':
      'accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), usb=()',
    'cross-origin-opener-policy': 'same-origin',
    ...(overHttps ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
}
