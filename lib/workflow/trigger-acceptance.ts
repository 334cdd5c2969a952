import { createHash } from 'node:crypto';
import { z } from 'zod';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';

const MAX_BODY_CHARACTERS = 4096;
const acknowledgment = z.object({ accepted: z.literal(true) });

/** Returns the start of the body, or '' if it cannot be read: the status, which was received, is enough. */
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
 * Reads a 2xx response to a trigger and returns why it does not accept the trigger, or null if it does. A server that
 * is starting can return 200 before its workflows exist. Therefore, once a URL has acknowledged a trigger with
 * `{ "accepted": true }`, its responses without that no longer accept a trigger. Throws `unavailable`.
 */
export async function whyNotAccepted(url: string, response: Response): Promise<string | null> {
  const text = await readStart(response);
  const body = parseJson(text);
  const says = `The workflow service returned HTTP ${response.status}`;
  if (body === undefined && /\bis starting\b/i.test(text)) return `${says}, but it is still starting.`;
  const accepted = dataOf(
    await adminDb().rpc('trigger_accepted', {
      p_url_hash: createHash('sha256').update(url).digest('hex'),
      p_acknowledged: acknowledgment.safeParse(body).success,
    }),
  );
  return accepted ? null : `${says}, but without an acknowledgment.`;
}
