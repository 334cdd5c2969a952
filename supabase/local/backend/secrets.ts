import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import { codeOf } from '@/lib/errors/error-parts';
import { StartError } from '@/lib/errors/start-error';

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

function isSecrets(value: unknown): value is Secrets {
  if (typeof value !== 'object' || value === null) return false;
  const found = value as Partial<Record<keyof Secrets, unknown>>;
  return (
    typeof found.signingKey === 'object' &&
    found.signingKey !== null &&
    'kty' in found.signingKey &&
    [found.innerSecret, found.storageSecret, found.postgresPassword].every(
      (secret) => typeof secret === 'string' && secret.length > 0,
    )
  );
}

/**
 * Loads the backend's secrets from `<dataDir>/backend-secrets.json` (mode 0600), or generates them on the first start.
 * They are stored so that sessions and signed URLs survive a restart. Throws StartError if the file is invalid.
 */
export async function loadSecrets(dataDir: string): Promise<Secrets> {
  const file = join(dataDir, 'backend-secrets.json');
  try {
    const found: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (isSecrets(found)) return found;
    throw new StartError(`${file} is not valid. Delete the data folder to start over.`);
  } catch (error) {
    if (error instanceof SyntaxError) throw new StartError(`${file} is damaged: ${error.message}.`);
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  const secrets = await makeSecrets();
  await writeFile(`${file}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return secrets;
}
