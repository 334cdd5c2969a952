import { createPrivateKey, randomBytes } from 'node:crypto';
import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import { z } from 'zod';
import { codeOf } from '@/lib/errors/error-parts';

export type Secrets = {
  /** ES256 key pair, with its `kid`, that signs the access tokens issued to clients. */
  signingKey: JWK;
  /** HS256 secret for tokens exchanged between the gateway and the auth and REST cores. */
  innerSecret: string;
  /** HS256 secret for signed storage URLs. */
  storageSecret: string;
  postgresPassword: string;
};

async function makeSecrets(): Promise<Secrets> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  const random = () => randomBytes(36).toString('base64url');
  return {
    signingKey: { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'ES256' },
    innerSecret: random(),
    storageSecret: random(),
    postgresPassword: random(),
  };
}

const stored = z.object({
  signingKey: z.looseObject({ kty: z.literal('EC') }),
  innerSecret: z.string().min(1),
  storageSecret: z.string().min(1),
  postgresPassword: z.string().min(1),
});

function parseSecrets(text: string): Secrets | undefined {
  try {
    const secrets = stored.parse(JSON.parse(text));
    createPrivateKey({ key: secrets.signingKey, format: 'jwk' });
    return secrets;
  } catch {
    return undefined;
  }
}

const fileIn = (dataDir: string) => join(dataDir, 'backend-secrets.json');

export type LoadedSecrets = {
  secrets: Secrets;
  /** If the secrets are new and not saved yet, what happened to the file with the old ones, such as `is missing`. */
  lost?: string;
};

/**
 * Loads the backend's secrets from `<dataDir>/backend-secrets.json`. Makes new ones if the file is missing or damaged,
 * and keeps a damaged file under another name. Only the file's owner may read it, so its mode is set to 0600.
 */
export async function loadSecrets(dataDir: string): Promise<LoadedSecrets> {
  const file = fileIn(dataDir);
  try {
    await chmod(file, 0o600);
    const secrets = parseSecrets(await readFile(file, 'utf8'));
    if (secrets) return { secrets };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { secrets: await makeSecrets(), lost: 'is missing' };
    throw error;
  }
  const aside = `${file}.damaged-${new Date().toISOString().replaceAll(':', '-')}`;
  await rename(file, aside);
  return { secrets: await makeSecrets(), lost: `is damaged and was renamed to ${aside}` };
}

/** Saves new secrets, so that sessions and signed URLs survive a restart. */
export async function saveSecrets(dataDir: string, secrets: Secrets): Promise<void> {
  const file = fileIn(dataDir);
  await writeFile(`${file}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
}
