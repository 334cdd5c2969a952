import type { Caller } from '@/lib/auth/caller';
import { HttpError } from '@/lib/errors/problem';
import { cutPage, decodeCursor } from '@/lib/http/page';
import { adminDb } from '@/lib/supabase/admin';
import type { Database } from '@/lib/supabase/database.types';
import { dataOf } from '@/lib/supabase/database-error';
import { type Account, type ListPeopleQuery, type PeopleResponse, type Person, person } from './schema';

// Makes some columns nullable, because the generated types never mark a function's result columns as nullable.
type Returned = Database['public']['Functions']['list_people']['Returns'][number];
type Nullable = 'name' | 'picture_version' | 'last_seen_at' | 'mail_state' | 'mail_reason';
type PersonRow = Omit<Returned, Nullable> & { [Name in Nullable]: Returned[Name] | null };

type ProfileRow = { user_id: string; name: string | null; picture_version: string | null };

/** Returns the path of a picture, or null if there is none. Browsers cache a picture until its version changes. */
export function picturePath(id: string, version: string | null): string | null {
  return version === null ? null : `/api/people/${id}/picture?v=${version}`;
}

function toPerson(row: PersonRow): Person {
  return person.parse({
    id: row.id,
    email: row.email,
    name: row.name,
    picture: picturePath(row.id, row.picture_version),
    isAdmin: row.is_admin,
    state: row.state,
    lastSeenAt: row.last_seen_at,
    mail: row.mail_state === null ? null : { state: row.mail_state, reason: row.mail_reason },
    createdAt: row.created_at,
  });
}

/**
 * Returns a page of people, newest first. For administrators only. Throws `unavailable`, or `invalid_request` for an
 * invalid cursor.
 */
export async function listPeople(query: ListPeopleQuery): Promise<PeopleResponse> {
  const before = query.cursor ? decodeCursor(query.cursor) : null;
  const found: PersonRow[] = dataOf(
    await adminDb().rpc('list_people', {
      p_query: query.q,
      p_state: query.state,
      p_before: before?.createdAt,
      p_before_id: before?.id,
      p_limit: query.limit + 1,
    }),
  );
  const { rows, nextCursor } = cutPage(found, query.limit);
  return { people: rows.map(toPerson), nextCursor };
}

/** Returns one person. For administrators only. Throws `not_found` or `unavailable`. */
export async function onePerson(id: string): Promise<Person> {
  const [row]: PersonRow[] = dataOf(await adminDb().rpc('list_people', { p_account: id, p_limit: 1 }));
  if (!row) throw new HttpError('not_found');
  return toPerson(row);
}

/** Returns the caller's account. Throws `unavailable`. */
export async function ownAccount({ userId, email, isAdmin }: Caller): Promise<Account> {
  const [profile] = await profilesOf([userId]);
  return { id: userId, email, isAdmin, name: profile?.name ?? null, picture: profile?.picture ?? null };
}

const NO_PROFILE = { name: null, picture: null };
const LIMIT_MS = 1_000;

/**
 * Returns the name and picture of an account for the header of a page. Never throws. If the database does not respond,
 * returns nulls, and the header shows the email address.
 */
export async function profileOf(id: string): Promise<{ name: string | null; picture: string | null }> {
  const { data } = await adminDb()
    .rpc('profiles', { p_accounts: [id] })
    .abortSignal(AbortSignal.timeout(LIMIT_MS));
  const [row]: ProfileRow[] = data ?? [];
  return row ? { name: row.name, picture: picturePath(id, row.picture_version) } : NO_PROFILE;
}

/** Returns the names and pictures of these accounts. May omit accounts that have neither. Throws `unavailable`. */
export async function profilesOf(
  ids: string[],
): Promise<{ userId: string; name: string | null; picture: string | null }[]> {
  const rows: ProfileRow[] = dataOf(await adminDb().rpc('profiles', { p_accounts: ids }));
  return rows.map((row) => ({
    userId: row.user_id,
    name: row.name,
    picture: picturePath(row.user_id, row.picture_version),
  }));
}
