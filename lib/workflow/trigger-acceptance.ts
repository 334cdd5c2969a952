import { createHash } from 'node:crypto';
import { z } from 'zod';
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
