import { createSecretKey } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { refuse } from '@/supabase/local/backend/storage/storage-error';

export type SignedTokens = {
  /** Returns a token for `url` (`<bucket>/<key>`) that is valid for `seconds`. */
  signDownload(url: string, seconds: number): Promise<string>;
  verifyDownload(token: string, url: string): Promise<void>;
  signUpload(url: string, owner: string | null, upsert: boolean): Promise<string>;
  verifyUpload(token: string, url: string): Promise<{ owner: string | null; upsert: boolean }>;
};

const UPLOAD_SECONDS = 7_200;

/**
 * Creates functions that sign and verify the tokens of signed URLs. Tokens for downloads and uploads are not
 * interchangeable. The `verify…` functions throw StorageError.
 */
export function signedTokens(secret: string): SignedTokens {
  const key = createSecretKey(secret, 'utf8');

  const sign = (payload: JWTPayload, seconds: number) =>
    new SignJWT(payload)
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuedAt()
      .setExpirationTime(Math.floor(Date.now() / 1_000) + seconds)
      .sign(key);

  async function verify(token: string, purpose: string, url: string): Promise<JWTPayload> {
    const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'] }).catch((error: unknown) => {
      throw refuse.invalidToken(
        error instanceof errors.JWTExpired
          ? '"exp" claim timestamp check failed'
          : 'signature verification failed',
      );
    });
    if (payload.purpose !== purpose || payload.url !== url) throw refuse.invalidSignature();
    return payload;
  }

  return {
    signDownload: (url, seconds) => sign({ url, purpose: 'download' }, seconds),
    verifyDownload: async (token, url) => {
      await verify(token, 'download', url);
    },
    signUpload: (url, owner, upsert) => sign({ url, purpose: 'upload', owner, upsert }, UPLOAD_SECONDS),
    verifyUpload: async (token, url) => {
      const { owner, upsert } = await verify(token, 'upload', url);
      return { owner: typeof owner === 'string' ? owner : null, upsert: upsert === true };
    },
  };
}
