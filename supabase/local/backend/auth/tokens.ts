import { createPrivateKey, createPublicKey } from 'node:crypto';
import { errors, importJWK, type JWK, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Claims } from '@/supabase/local/backend/caller';
import type { Secrets } from '@/supabase/local/backend/secrets';

/** Thrown for an access token that is malformed, expired or not signed with the backend's key. */
export class InvalidToken extends Error {
  override name = 'InvalidToken';
  readonly isExpired: boolean;
  constructor(isExpired: boolean) {
    super(isExpired ? 'token has expired' : 'unable to parse or verify signature');
    this.isExpired = isExpired;
  }
}

export type Verified = {
  claims: Claims;
  /** A token that contains `claims`, signed with the HS256 secret of the auth and REST cores. */
  inner: string;
};

export type Tokens = {
  /** Signs claims for clients with ES256. The claims must include `iat` and `exp`. */
  issue(claims: Record<string, unknown>): Promise<string>;
  /** Verifies a client's token. Throws InvalidToken. */
  verify(token: string): Promise<Verified>;
  /** The public key, for /auth/v1/.well-known/jwks.json. */
  jwks: { keys: JWK[] };
};

const ROLES = new Set(['anon', 'authenticated', 'service_role']);

/**
 * Creates the issuer and verifier of access tokens. Clients get ES256 tokens, as with hosted projects, so that
 * getClaims() can verify them without a request per token. The auth and REST cores support only HS256, so they get an
 * HS256 token with the claims of each verified token. HS256 tokens from clients are rejected.
 */
export async function createTokens(secrets: Secrets): Promise<Tokens> {
  const { d: _private, ...publicJwk } = secrets.signingKey;
  const signingKey = createPrivateKey({ key: { ...secrets.signingKey }, format: 'jwk' });
  const verifyingKey = createPublicKey({ key: { ...publicJwk }, format: 'jwk' });
  const innerKey = await importJWK({
    kty: 'oct',
    alg: 'HS256',
    k: Buffer.from(secrets.innerSecret).toString('base64url'),
  });
  const seen = new LRUCache<string, Verified>({ max: 2_000 });
  const header = { alg: 'ES256', typ: 'JWT', kid: publicJwk.kid };

  async function verifyNew(token: string): Promise<Verified> {
    try {
      const { payload } = await jwtVerify(token, verifyingKey, { algorithms: ['ES256'] });
      const { role, exp } = payload;
      if (typeof role !== 'string' || !ROLES.has(role) || typeof exp !== 'number')
        throw new InvalidToken(false);
      const inner = await new SignJWT(payload)
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .sign(innerKey);
      return { claims: { ...payload, role }, inner };
    } catch (error) {
      throw error instanceof InvalidToken ? error : new InvalidToken(error instanceof errors.JWTExpired);
    }
  }

  return {
    issue: (claims) => new SignJWT(claims).setProtectedHeader(header).sign(signingKey),
    verify: async (token) => {
      const known = seen.get(token);
      if (known) {
        if (Number(known.claims.exp) * 1_000 > Date.now()) return known;
        seen.delete(token);
        throw new InvalidToken(true);
      }
      const verified = await verifyNew(token);
      seen.set(token, verified);
      return verified;
    },
    jwks: { keys: [{ ...publicJwk, use: 'sig', key_ops: ['verify'] }] },
  };
}
