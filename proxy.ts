import { createServerClient } from '@supabase/ssr';
import { type NextRequest, NextResponse } from 'next/server';
import { visitorHeaders } from '@/app/share/visitor-headers';
import { assetHosts } from '@/lib/env/asset-hosts';
import { serverEnv } from '@/lib/env/server';
import { isHttpError } from '@/lib/errors/problem';
import { isHttps, pagePolicy } from '@/lib/http/security-headers';
import { assetOrigins } from '@/lib/matlib/asset-url';
import { limitVisits } from '@/lib/share-links/limit-visits';
import { refreshFetch } from '@/lib/supabase/refresh-fetch';

function policyOfRequest(nonce: string): string {
  const env = serverEnv();
  return pagePolicy({
    nonce,
    supabaseUrl: env.NEXT_PUBLIC_SUPABASE_URL,
    imageOrigins: assetOrigins(assetHosts(env.MATLIB_ASSET_HOSTS)),
    isDevelopment: env.NODE_ENV === 'development',
  });
}

/** Returns a plain-text 429 if the visitor's address or the share link exceeds its rate limit, otherwise null. */
function tooManyVisits(request: NextRequest, token: string): NextResponse | null {
  try {
    limitVisits(request.headers, token);
    return null;
  } catch (error) {
    if (!isHttpError(error)) throw error;
    const headers = { ...visitorHeaders, 'retry-after': String(error.extra.retryAfter) };
    return new NextResponse(error.message, { status: error.status, headers });
  }
}

/**
 * Gives each page a content security policy with its own nonce, and limits visits to share links. Refreshes an expired
 * session before the page reads it, because server components cannot set cookies.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const shareToken = request.nextUrl.pathname.match(/^\/share\/([^/]+)/)?.[1];
  const refusal = shareToken && tooManyVisits(request, shareToken);
  if (refusal) return refusal;
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64');
  const policy = policyOfRequest(nonce);
  // Next takes the nonce for its own scripts from the policy in the request headers. `HtmlDocument` reads `x-nonce`.
  const goOn = () => {
    const headers = new Headers(request.headers);
    headers.set('content-security-policy', policy);
    headers.set('x-nonce', nonce);
    const response = NextResponse.next({ request: { headers } });
    response.headers.set('content-security-policy', policy);
    if (shareToken)
      for (const [name, value] of Object.entries(visitorHeaders)) response.headers.set(name, value);
    return response;
  };
  let response = goOn();
  if (!request.cookies.getAll().some((cookie) => cookie.name.startsWith('sb-'))) return response;
  const env = serverEnv();
  const client = createServerClient(env.NEXT_PUBLIC_SUPABASE_URL, env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY, {
    global: { fetch: refreshFetch(request.headers, 5_000) },
    cookieOptions: { secure: isHttps(request.headers.get('x-forwarded-proto')) },
    cookies: {
      getAll: () => request.cookies.getAll(),
      setAll: (all) => {
        for (const { name, value } of all) request.cookies.set(name, value);
        response = goOn();
        for (const { name, value, options } of all) response.cookies.set(name, value, options);
      },
    },
  });
  await client.auth.getSession();
  return response;
}

// Match only pages. /api is left out because Next would truncate its request bodies to `proxyClientMaxBodySize`. The
// documents and images of share links and the files of PDF.js are left out because they are not pages.
export const config = {
  matcher: ['/((?!api/|_next/|pdf-js/|icon\\.svg$|share/[^/]+/(?:document|(?:document/)?images/[^/]+)$).*)'],
};
