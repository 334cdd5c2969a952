import { z } from 'zod';
import { quotaOf } from '@/lib/http/quota';
import { parseJson, readJsonBytes } from '@/lib/http/read-json';
import { uuid } from '@/lib/http/uuid';

const named = {
  spec: z.object({ spec_upload_id: uuid }).transform((body) => body.spec_upload_id),
  image: z.object({ job_id: uuid }).transform((body) => body.job_id),
};

const MAX_BYTES = 64 * 1024;
/** How many bodies are read at once, and how fast they must arrive. */
const AT_ONCE = 8;
const PACE = { bytes: MAX_BYTES, ms: 2_000 };

/** The id that the body of a callback names; null unless it is a UUID. */
export function namedId(kind: keyof typeof named, body: unknown): string | null {
  return named[kind].safeParse(body).data ?? null;
}

/**
 * Reads the body of a callback without the correct secret. Anybody can send one, so it must be small and quick, and few
 * are read at once. Returns undefined for any other. Never throws.
 */
export async function readUnauthenticated(request: Request): Promise<unknown> {
  // All such senders count as one user, who gets at most half of the quota.
  const release = quotaOf('refused callbacks').take('', 1, AT_ONCE * 2);
  if (!release) return undefined;
  try {
    return parseJson(await readJsonBytes(request, { maxBytes: MAX_BYTES, anyContentType: true, pace: PACE }));
  } catch {
    return undefined;
  } finally {
    release();
  }
}
