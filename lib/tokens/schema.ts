import { z } from 'zod';
import { tokenRoles } from '@/lib/auth/access';
import { flagParam } from '@/lib/http/flag-param';
import { cursorParam, limitParam } from '@/lib/http/page';
import { text } from '@/lib/http/text';
import { time } from '@/lib/http/time';
import { uuid } from '@/lib/http/uuid';

export const tokenRole = z.enum(tokenRoles);

/**
 * The kind of an access token:
 * - `personal`: The token acts for its owner, with the owner's rights, limited to the token's role.
 * - `service`: The token acts for a service account and has its role in every project. Only an admin can create it.
 */
export const tokenKind = z.enum(['personal', 'service']);

const MAX_TOKEN_DAYS = 366;

/** An access token's data. The token itself is returned only once, when it is created. */
export const accessToken = z.object({
  id: uuid,
  name: z.string(),
  kind: tokenKind,
  role: tokenRole,
  /** The last four characters of the token. */
  hint: z.string(),
  /** The email address of the owner; null for a service, or if the owner has none. */
  owner: z.string().nullable(),
  /** The email address of the creator; null if the creator has none, or if the creator's account was deleted. */
  createdBy: z.string().nullable(),
  createdAt: time,
  expiresAt: time,
  /** Accurate to the minute; null before the first use. */
  lastUsedAt: time.nullable(),
});
export type AccessToken = z.infer<typeof accessToken>;

export const listTokensQuery = z.object({ cursor: cursorParam, limit: limitParam });
export type ListTokensQuery = z.infer<typeof listTokensQuery>;
export const listAllTokensQuery = listTokensQuery.extend({
  /** The id of the account that created the tokens. */
  createdBy: uuid.optional(),
  kind: tokenKind.optional(),
  /** `true` leaves out expired tokens. */
  valid: flagParam,
});
export type ListAllTokensQuery = z.infer<typeof listAllTokensQuery>;
export const tokensResponse = z.object({ tokens: z.array(accessToken), nextCursor: z.string().nullable() });
export type TokensResponse = z.infer<typeof tokensResponse>;
export const tokenParams = z.object({ id: uuid });

export const createTokenBody = z.object({
  name: text({ max: 80 }),
  role: tokenRole,
  kind: tokenKind.default('personal'),
  expiresInDays: z.int().min(1).max(MAX_TOKEN_DAYS).default(90),
});
export type CreateTokenBody = z.infer<typeof createTokenBody>;

/** A new token. Clients send `token` in the `Authorization: Bearer` header. It cannot be read again. */
export const createdToken = accessToken.extend({ token: z.string() });
export type CreatedToken = z.infer<typeof createdToken>;
