import { compare } from 'bcryptjs';
import type { SignInLimiter } from '@/supabase/local/backend/auth/sign-in-limiter';
import type { Claims } from '@/supabase/local/backend/caller';
import type { Database } from '@/supabase/local/backend/database';

/** Thrown for a new password that comes without the current one, or with a wrong one. */
export class CurrentPasswordRefused extends Error {
  override name = 'CurrentPasswordRefused';
  readonly code: 'current_password_required' | 'current_password_invalid';
  constructor(code: CurrentPasswordRefused['code']) {
    super('Current password required when setting new password.');
    this.code = code;
  }
}

/** The ways of signing in that prove access to the mailbox, so that a forgotten password can be replaced. */
const RECOVERY = ['otp', 'magiclink', 'recovery'];

const isRecovery = ({ amr }: Claims) =>
  Array.isArray(amr) && amr.some((way: { method?: unknown }) => RECOVERY.includes(String(way.method)));

/**
 * Checks the current password of a user who sets a new one, as hosted Supabase does with the setting "Require current
 * password when updating". Requires none in a session that was opened with a mailed link or code, and from a user who
 * has no password. Throws CurrentPasswordRefused or TooManyGuesses.
 */
export async function requireCurrentPassword(
  database: Database,
  limiter: SignInLimiter,
  claims: Claims,
  given: unknown,
): Promise<void> {
  if (isRecovery(claims)) return;
  const [user] = await database.query<{ email: string; hash: string | null }>(
    `select u.email, u.encrypted_password as hash from auth.users u join auth.sessions s on s.user_id = u.id
      where u.id = $1::text::uuid and s.id = $2::text::uuid`,
    [claims.sub ?? null, claims.session_id ?? null],
  );
  // The auth core refuses a session that has ended.
  if (!user?.hash) return;
  if (typeof given !== 'string' || given === '')
    throw new CurrentPasswordRefused('current_password_required');
  limiter.require(user.email);
  if (!(await compare(given, user.hash))) {
    limiter.failed(user.email);
    throw new CurrentPasswordRefused('current_password_invalid');
  }
  limiter.succeeded(user.email);
}
