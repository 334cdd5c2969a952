import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { hash } from 'bcryptjs';
import { codeOf } from '@/lib/errors/error-parts';
import type { Database, DatabaseRow } from '@/supabase/local/backend/database';
import { readJsonObject } from '@/supabase/local/backend/read-body';
import { json, type Reply } from '@/supabase/local/backend/reply';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const failed = (status: number, code: string, msg: string) =>
  json({ code: status, error_code: code, msg }, status);
const notFound = () => failed(404, 'user_not_found', 'User not found');
const invalid = (msg: string) => failed(400, 'validation_failed', msg);

function userBody(row: DatabaseRow) {
  const { raw_app_meta_data, raw_user_meta_data, identities } = row;
  const plain = ['id', 'aud', 'role', 'email', 'email_confirmed_at', 'confirmed_at', 'last_sign_in_at'];
  return {
    ...Object.fromEntries(plain.map((column) => [column, row[column]])),
    phone: row.phone ?? '',
    app_metadata: raw_app_meta_data ?? {},
    user_metadata: raw_user_meta_data ?? {},
    identities: identities ?? [],
    created_at: row.created_at,
    updated_at: row.updated_at,
    banned_until: row.banned_until ?? undefined,
    is_anonymous: row.is_anonymous,
  };
}

const USERS = `
  select u.*, (
    select jsonb_agg(jsonb_build_object('identity_id', i.id, 'id', i.provider_id, 'user_id', i.user_id,
      'identity_data', i.identity_data, 'provider', i.provider, 'created_at', i.created_at,
      'updated_at', i.updated_at, 'email', i.email))
    from auth.identities i where i.user_id = u.id) as identities
  from auth.users u`;

type UserInput = {
  id?: string;
  email?: string;
  passwordHash?: string;
  confirm: boolean;
  appMetadata: string | null;
  userMetadata: string | null;
  /**
   * A Go duration such as '24h', which Postgres reads as an interval. 'none' lifts a ban, and undefined changes
   * nothing.
   */
  ban?: string;
};

const BCRYPT = /^\$2[aby]\$\d{2}\$[./A-Za-z0-9]{53}$/;
const GO_DURATION = /^(\d+(\.\d+)?(h|m|s))+$/;

async function readInput(request: IncomingMessage): Promise<UserInput | Reply> {
  const body = await readJsonObject(request);
  const { id, email, password, password_hash, app_metadata, user_metadata, ban_duration } = body;
  if (email !== undefined && (typeof email !== 'string' || !/^\S+@\S+$/.test(email))) {
    return invalid('Unable to validate email address: invalid format');
  }
  if (id !== undefined && !UUID.test(String(id))) return invalid('ID must conform to the uuid v4 format');
  if (password !== undefined && (typeof password !== 'string' || password.length < 6)) {
    return failed(422, 'weak_password', 'Password should be at least 6 characters.');
  }
  if (password_hash !== undefined && !BCRYPT.test(String(password_hash))) {
    return invalid('password_hash is not a bcrypt hash');
  }
  if (ban_duration !== undefined && ban_duration !== 'none' && !GO_DURATION.test(String(ban_duration))) {
    return invalid('invalid format for ban duration');
  }
  const metadata = (value: unknown) => (typeof value === 'object' && value ? JSON.stringify(value) : null);
  return {
    ...(id === undefined ? {} : { id: String(id) }),
    ...(typeof email === 'string' ? { email: email.toLowerCase() } : {}),
    ...(typeof password_hash === 'string' ? { passwordHash: password_hash } : {}),
    ...(typeof password === 'string' ? { passwordHash: await hash(password, 10) } : {}),
    ...(ban_duration === undefined ? {} : { ban: String(ban_duration) }),
    confirm: body.email_confirm === true,
    appMetadata: metadata(app_metadata),
    userMetadata: metadata(user_metadata),
  };
}

/** Returns the SQL that merges new metadata into a column. As in hosted Supabase, a null value removes its key. */
const merged = (column: string, value: string) =>
  `(${column} || coalesce(${value}::text::jsonb, '{}'))
     - array(select key from jsonb_each(coalesce(${value}::text::jsonb, '{}')) where value = 'null')`;

/**
 * Returns the handler of /auth/v1/admin/users, with which `auth.admin` lists, gets, creates, updates and deletes users.
 */
export function adminRoutes(database: Database) {
  async function find(id: string): Promise<Reply> {
    const [row] = await database.query(`${USERS} where u.id = $1::text::uuid`, [id]);
    return row ? json(userBody(row)) : notFound();
  }

  async function list(search: URLSearchParams): Promise<Reply> {
    const perPage = Math.min(Math.max(Number(search.get('per_page')) || 50, 1), 1_000);
    const page = Math.max(Number(search.get('page')) || 1, 1);
    const rows = await database.query(`${USERS} order by u.created_at desc, u.id limit $1 offset $2`, [
      perPage,
      (page - 1) * perPage,
    ]);
    const [total] = await database.query<{ n: number }>('select count(*)::int as n from auth.users');
    const users = rows.map(userBody);
    const count = total?.n ?? 0;
    const last = Math.max(1, Math.ceil(count / perPage));
    const link = (rel: string, to: number) => `</admin/users?page=${to}&per_page=${perPage}>; rel="${rel}"`;
    const links = [...(page < last ? [link('next', page + 1)] : []), link('last', last)];
    const headers = { 'x-total-count': String(count), link: links.join(', ') };
    return json({ users, aud: 'authenticated' }, 200, headers);
  }

  async function create(input: UserInput): Promise<Reply> {
    const { email } = input;
    if (!email) return invalid('Cannot create a user without either an email or phone');
    const id = input.id ?? randomUUID();
    try {
      await database.transaction(async (query) => {
        await query(
          `insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at,
             raw_app_meta_data, raw_user_meta_data, banned_until)
           values ($1, 'authenticated', 'authenticated', $2, $3, case when $4::boolean then now() end,
             '{"provider": "email", "providers": ["email"]}'::jsonb || coalesce($5::text::jsonb, '{}'),
             coalesce($6::text::jsonb, '{}'), now() + nullif($7::text, 'none')::interval)`,
          [
            id,
            email,
            input.passwordHash ?? '',
            input.confirm,
            input.appMetadata,
            input.userMetadata,
            input.ban ?? null,
          ],
        );
        await query(
          `insert into auth.identities (id, provider, provider_id, user_id, identity_data)
           values (gen_random_uuid(), 'email', $1::text, $1::text::uuid, $2::text::jsonb)`,
          [id, JSON.stringify({ sub: id, email, email_verified: input.confirm })],
        );
      });
    } catch (error) {
      if (codeOf(error) !== '23505') throw error;
      return failed(422, 'email_exists', 'A user with this email address has already been registered');
    }
    return find(id);
  }

  async function update(id: string, input: UserInput): Promise<Reply> {
    try {
      const rows = await database.query(
        // Like hosted Supabase, deletes all sessions when a password is set.
        `with changed as (
           update auth.users set
             email = coalesce($2, email),
             encrypted_password = coalesce($3, encrypted_password),
             email_confirmed_at = case when $4::boolean then coalesce(email_confirmed_at, now())
               else email_confirmed_at end,
             raw_app_meta_data = ${merged('raw_app_meta_data', '$5')},
             raw_user_meta_data = ${merged('raw_user_meta_data', '$6')},
             banned_until = case when $7::text is null then banned_until
               when $7::text = 'none' then null else now() + $7::text::interval end,
             updated_at = now()
           where id = $1::text::uuid returning id
         ), signed_out as (
           delete from auth.sessions where $3::text is not null and user_id in (select id from changed)
         )
         select id from changed`,
        [
          id,
          input.email ?? null,
          input.passwordHash ?? null,
          input.confirm,
          input.appMetadata,
          input.userMetadata,
          input.ban ?? null,
        ],
      );
      return rows.length > 0 ? find(id) : notFound();
    } catch (error) {
      if (codeOf(error) !== '23505') throw error;
      return failed(422, 'email_exists', 'A user with this email address has already been registered');
    }
  }

  async function remove(id: string): Promise<Reply> {
    const rows = await database.query('delete from auth.users where id = $1::text::uuid returning id', [id]);
    return rows.length > 0 ? json({}) : notFound();
  }

  return async (request: IncomingMessage, url: URL): Promise<Reply> => {
    const [, , , , resource, id, ...more] = url.pathname.split('/');
    if (resource !== 'users' || more.length > 0)
      return failed(404, 'not_found', 'This admin route is not available');
    if (id !== undefined && !UUID.test(id)) return notFound();
    const { method } = request;
    if (method === 'GET') return id ? find(id) : list(url.searchParams);
    if (method === 'DELETE' && id) return remove(id);
    if ((method === 'POST' && !id) || (method === 'PUT' && id)) {
      const input = await readInput(request);
      if ('status' in input) return input;
      return id ? update(id, input) : create(input);
    }
    return failed(405, 'method_not_allowed', 'Method not allowed');
  };
}
