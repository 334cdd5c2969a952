import { createHash } from 'node:crypto';
import { z } from 'zod';
import { serverEnv } from '@/lib/env/server';
import { withoutControls } from '@/lib/http/pasted-text';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';

const MAX_BODY_CHARACTERS = 4096;
const acknowledgment = z.object({ accepted: z.literal(true) });

/**
 * Returns the start of the body, or '' if the body cannot be read. An unreadable body counts as one without an
 * acknowledgment.
 */
async function readStart(response: Response): Promise<string> {
  let text = '';
  try {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      if (text.length > MAX_BODY_CHARACTERS) break;
    }
  } catch {
    return '';
  }
  return text.slice(0, MAX_BODY_CHARACTERS);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns null if a 2xx response accepts the trigger. Otherwise, returns the reason as a phrase to put after the
 * service's name, such as `returned HTTP 200, but it is still starting`. A starting server can return 200 before its
 * workflows exist. Therefore, once a URL has acknowledged a trigger with `{"accepted":true}`, each response from it
 * must contain that acknowledgment. If its responses lack the acknowledgment for ten minutes, the URL no longer has to
 * send it. Throws `unavailable` if the database is down.
 */
export async function whyNotAccepted(url: string, response: Response): Promise<string | null> {
  const text = await readStart(response);
  const body = parseJson(text);
  const outcome = `returned HTTP ${response.status}`;
  if (body === undefined && /\bis starting\b/i.test(text)) return `${outcome}, but it is still starting`;
  const accepted = dataOf(
    await adminDb().rpc('trigger_accepted', {
      p_url_hash: createHash('sha256').update(url).digest('hex'),
      p_acknowledged: acknowledgment.safeParse(body).success,
    }),
  );
  return accepted ? null : `${outcome}, but without an acknowledgment`;
}

const MAX_REASON = 300;
const words = z.union([z.string(), z.object({ message: z.string() }).transform(({ message }) => message)]);
const optionalWords = words.optional().catch(undefined);
const refusalBody = z.object({ message: optionalWords, error: optionalWords, detail: optionalWords });

/**
 * Returns why the service refused a trigger, as plain text, or null if its body does not say. The reason is a `message`,
 * `error` or `detail` in JSON. For a 401 or 403, which only administrators may read, a body of plain text counts too. A
 * reason that contains one of Atelier's secrets is left out, and URLs lose their query, which can be a signature.
 */
export async function reasonForRefusal(response: Response): Promise<string | null> {
  const text = await readStart(response);
  const body = parseJson(text);
  const { message, error, detail } = refusalBody.safeParse(body).data ?? {};
  const isForAdmins = response.status === 401 || response.status === 403;
  const found = message || error || detail || (isForAdmins && body === undefined ? text : '');
  const env = serverEnv();
  const signingKey = env.WORKFLOW_SIGNING_SECRET.replace('whsec_', '');
  const secrets = [env.WORKFLOW_TOKEN, signingKey, env.WEBHOOK_SECRET, env.IMAGE_WEBHOOK_SECRET];
  if (secrets.some((secret) => secret && found.includes(secret))) return null;
  const plain = found.replace(/<[a-z/!][^>]*>/gi, ' ').replace(/(https?:\/\/[^\s?#]*)[?#]\S*/gi, '$1');
  return [...withoutControls(plain).replace(/\s+/g, ' ')].slice(0, MAX_REASON).join('') || null;
}
