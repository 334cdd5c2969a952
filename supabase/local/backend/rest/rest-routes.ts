import type { IncomingMessage } from 'node:http';
import { InvalidToken, type Tokens } from '@/supabase/local/backend/auth/tokens';
import type { ApiKeys } from '@/supabase/local/backend/caller';
import { json, type Reply } from '@/supabase/local/backend/reply';
import { completeRows } from '@/supabase/local/backend/rest/inserted-rows';
import type { Lite } from '@/supabase/local/backend/rest/lite';
import { type Passed, passOn } from '@/supabase/local/backend/rest/pass-on';
import { statusOfStatementError } from '@/supabase/local/backend/rest/statement-error';

function coreCode(passed: Passed): string {
  try {
    const body: unknown = JSON.parse(passed.body.toString());
    return typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : '';
  } catch {
    return '';
  }
}

/**
 * If the client asked for a single object, unwraps the array that lite returns for a write whose `select` embeds
 * another table.
 */
function asOneObject({ headers }: IncomingMessage, passed: Passed): Passed {
  const wantsOne = headers.accept?.includes('application/vnd.pgrst.object');
  if (!wantsOne || passed.status >= 300 || passed.body[0] !== '['.charCodeAt(0)) return passed;
  const rows: unknown = JSON.parse(passed.body.toString());
  if (!Array.isArray(rows) || rows.length !== 1) return passed;
  return { ...passed, body: Buffer.from(JSON.stringify(rows[0])) };
}

/**
 * Returns the handler of /rest/v1. Its responses come from the REST core, with statement errors in PostgREST's format.
 */
export function restRoutes(lite: Lite, keys: ApiKeys, tokens: Tokens) {
  return async (request: IncomingMessage, url: URL): Promise<Reply> => {
    try {
      const passed = await passOn(request, url, lite, keys, tokens, {
        changeJson: completeRows(request, url),
      });
      const { error, role } = passed;
      if (error && passed.status >= 400 && ['SUP', error.code].includes(coreCode(passed))) {
        const { code, detail, hint, message } = error;
        return json({ code, details: detail, hint, message }, statusOfStatementError(code, role));
      }
      return asOneObject(request, passed);
    } catch (error) {
      if (!(error instanceof InvalidToken)) throw error;
      const [code, message, details] = error.isExpired
        ? ['PGRST303', 'JWT expired', null]
        : ['PGRST301', 'No suitable key or wrong key type', 'None of the keys was able to decode the JWT'];
      const challenge = `Bearer error="invalid_token", error_description="${message}"`;
      return json({ code, details, hint: null, message }, 401, { 'www-authenticate': challenge });
    }
  };
}
