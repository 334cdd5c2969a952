import { cutPage, decodeCursor } from '@/lib/http/page';
import { adminDb } from '@/lib/supabase/admin';
import type { Database } from '@/lib/supabase/database.types';
import { dataOf } from '@/lib/supabase/database-error';
import { type ListAllTokensQuery, type ListTokensQuery, type TokensResponse, tokenRole } from './schema';

// Makes some columns nullable, because the generated types never mark a function's result columns as nullable.
type Returned = Database['public']['Functions']['list_access_tokens']['Returns'][number];
type Nullable = 'owner_email' | 'created_by_email' | 'last_used_at';
type TokenRow = Omit<Returned, Nullable> & { [Name in Nullable]: Returned[Name] | null };

/**
 * Returns a page of the account's access tokens, or of all access tokens if `accountId` is null, newest first. Includes
 * expired ones unless `query.valid` is true. The caller must check access. Throws `unavailable`, or `invalid_request`
 * for an invalid cursor.
 */
export async function listTokens(
  accountId: string | null,
  query: ListTokensQuery & Partial<ListAllTokensQuery>,
): Promise<TokensResponse> {
  const before = query.cursor ? decodeCursor(query.cursor) : null;
  const found: TokenRow[] = dataOf(
    await adminDb().rpc('list_access_tokens', {
      p_account: accountId ?? undefined,
      p_created_by: query.createdBy,
      p_is_service: query.kind && query.kind === 'service',
      p_only_valid: query.valid,
      p_before: before?.createdAt,
      p_before_id: before?.id,
      p_limit: query.limit + 1,
    }),
  );
  const { rows, nextCursor } = cutPage(found, query.limit);
  return {
    tokens: rows.map((row) => ({
      id: row.id,
      name: row.name,
      kind: row.is_service ? 'service' : 'personal',
      role: tokenRole.parse(row.role),
      hint: row.hint,
      owner: row.owner_email,
      createdBy: row.created_by_email,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
      lastUsedAt: row.last_used_at,
    })),
    nextCursor,
  };
}
