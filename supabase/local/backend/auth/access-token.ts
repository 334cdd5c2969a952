import { decodeJwt } from 'jose';
import type { Tokens } from '@/supabase/local/backend/auth/tokens';
import type { Database } from '@/supabase/local/backend/database';

type SessionRow = {
  phone: string | null;
  app_metadata: unknown;
  user_metadata: unknown;
  is_anonymous: boolean;
  is_banned: boolean;
  methods: { method: string; timestamp: number }[];
};

const SESSION = `
  select u.phone, u.raw_app_meta_data as app_metadata, u.raw_user_meta_data as user_metadata, u.is_anonymous,
    coalesce(u.banned_until > now(), false) as is_banned,
    coalesce((
      select jsonb_agg(jsonb_build_object(
        'method', c.authentication_method,
        'timestamp', floor(extract(epoch from c.updated_at))::bigint))
      from auth.mfa_amr_claims c where c.session_id = $2::text::uuid
    ), '[]'::jsonb) as methods
  from auth.users u where u.id = $1::text::uuid`;

/** Thrown when a banned user signs in or refreshes a session. */
export class UserBanned extends Error {
  override name = 'UserBanned';
}

export type OutgoingTokens = {
  /**
   * Converts an access token of the auth core to the token that the client gets instead. `method` is how the user
   * signed in, or null for a refresh. Throws UserBanned.
   */
  renew(innerToken: string, method: string | null): Promise<string>;
};

/**
 * Creates the converter of the auth core's access tokens. Converted tokens contain all claims that tokens of hosted
 * Supabase have. Tokens of the auth core lack some of them, such as app_metadata, aal and amr.
 */
export function outgoingTokens(database: Database, tokens: Tokens, issuer: () => string): OutgoingTokens {
  return {
    renew: async (innerToken, method) => {
      const claims = decodeJwt(innerToken);
      const session = typeof claims.session_id === 'string' ? claims.session_id : null;
      if (method && session) {
        await database.query(
          `insert into auth.mfa_amr_claims (session_id, authentication_method)
           select id, $2 from auth.sessions where id = $1::text::uuid
           on conflict (session_id, authentication_method) do update set updated_at = now()`,
          [session, method],
        );
      }
      const [row] = await database.query<SessionRow>(SESSION, [claims.sub, session]);
      if (row?.is_banned) {
        // The auth core ignores banned_until and has already opened a session. Delete that session.
        await database.query('delete from auth.sessions where id = $1::text::uuid', [session]);
        throw new UserBanned('User is banned');
      }
      return tokens.issue({
        iss: issuer(),
        sub: claims.sub,
        aud: claims.aud ?? 'authenticated',
        exp: claims.exp,
        iat: claims.iat,
        email: claims.email ?? '',
        phone: row?.phone ?? '',
        app_metadata: row?.app_metadata ?? {},
        user_metadata: row?.user_metadata ?? {},
        role: claims.role ?? 'authenticated',
        aal: 'aal1',
        amr: row?.methods ?? [],
        session_id: session,
        is_anonymous: row?.is_anonymous ?? false,
      });
    },
  };
}
