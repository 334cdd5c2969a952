import { expect } from 'vitest';
import { type CreatedToken, createdToken } from '@/lib/tokens/schema';
import { type Api, excerpt } from '@/tests/app/support/api';
import { unique } from '@/tests/app/support/specs';

export type MadeToken = CreatedToken & { headers: { authorization: string } };

/**
 * Creates an access token for the user of `api`. If `kind` is `service`, creates a service token instead, which only an
 * admin may do.
 */
export async function makeToken(
  api: Api,
  body: { role: CreatedToken['role']; kind?: CreatedToken['kind'] },
): Promise<MadeToken> {
  const response = await api('/api/tokens', { json: { name: unique('Script'), ...body } });
  expect(response.status, excerpt(response)).toBe(201);
  const created = createdToken.parse(response.body);
  return { ...created, headers: { authorization: `Bearer ${created.token}` } };
}
