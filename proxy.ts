import { createServerClient } from '@supabase/ssr';
import { type NextRequest, NextResponse } from 'next/server';
import { serverEnv } from '@/lib/env/server';
import { fetchWithTimeout } from '@/lib/supabase/fetch-with-timeout';

/** Refreshes a session that runs out, before a page reads it: server components cannot set cookies themselves. */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  let response = NextResponse.next({ request });
  if (!request.cookies.getAll().some((cookie) => cookie.name.startsWith('sb-'))) return response;
  const env = serverEnv();
  const client = createServerClient(env.NEXT_PUBLIC_SUPABASE_URL, env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY, {
    global: { fetch: fetchWithTimeout(5_000) },
    cookies: {
      getAll: () => request.cookies.getAll(),
      setAll: (all) => {
        for (const { name, value } of all) request.cookies.set(name, value);
        response = NextResponse.next({ request });
        for (const { name, value, options } of all) response.cookies.set(name, value, options);
      },
    },
  });
  await client.auth.getSession();
  return response;
}

// Pages only. Kept away from /api: a proxy cuts request bodies at 10 MB there, silently.
export const config = { matcher: ['/((?!api/|_next/|.*\\.(?:svg|png|ico|txt)$).*)'] };
