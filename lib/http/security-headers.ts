/** What the policy of the pages has to know of the running copy. */
export type PolicyOptions = {
  /** Of this request alone; base64. */
  nonce: string;
  supabaseUrl: string;
  /** Origins besides Supabase that images come from. */
  imageOrigins: string[];
  /** React's development build evaluates text as code. */
  isDevelopment: boolean;
};

/**
 * The Content-Security-Policy of a page. Scripts run by the request's nonce alone, and by what such a script loads.
 * Inline styles stay allowed: Mantine and React write them as attributes, for which no nonce exists.
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

/** An answer that is data: shown as a page by itself it may do nothing, and nobody may frame it. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const always = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'permissions-policy':
    'accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
};

/** Whether the browser reached us, or the proxy before us, over https. */
export function isHttps(request: Headers): boolean {
  return request.get('x-forwarded-proto')?.split(',')[0]?.trim() === 'https';
}

/**
 * Gives an answer the headers that all of ours carry, but for those that it has set itself. Without a policy of its own
 * it gets that of plain data. Strict-Transport-Security goes out over https alone: elsewhere it means nothing.
 */
export function secureAnswer<Answer extends Response>(answer: Answer, request: Headers): Answer {
  const wanted: Record<string, string> = {
    ...always,
    'content-security-policy': dataPolicy,
    ...(isHttps(request) ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
  for (const [name, value] of Object.entries(wanted)) {
    if (!answer.headers.has(name)) answer.headers.set(name, value);
  }
  return answer;
}
