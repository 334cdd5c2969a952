import { serverEnv } from '@/lib/env/server';
import { HttpError } from '@/lib/errors/problem';
import type { Access, ProjectRole } from './access';
import { accountNow } from './account';
import { type Caller, getCaller, unauthenticated } from './caller';
import { isSameOrigin } from './origin';
import { forbiddenRole, requireTokenRole } from './project-role';
import { secretMatches } from './shared-secret';

/** The caller of a route: a user or service account, or null on public routes and on routes with a shared secret. */
export type CallerOf<A extends Access> = A extends
  | 'signed-in'
  | 'session'
  | ProjectRole
  | 'admin'
  | 'admin-session'
  ? Caller
  : null;

function requireSecret(secret: string | null, accepted: (string | undefined)[]): null {
  if (!secretMatches(secret, accepted)) throw new HttpError('invalid_secret');
  return null;
}

const isWrite = ({ method }: Request) => method !== 'GET' && method !== 'HEAD';

async function requireCaller(request: Request): Promise<Caller> {
  const caller = await getCaller(request.headers.get('authorization'));
  if (!caller) throw unauthenticated();
  if (isWrite(request) && caller.via === 'cookie' && !isSameOrigin(request.headers, serverEnv().APP_URL)) {
    throw new HttpError('bad_origin');
  }
  return caller;
}

/**
 * Authenticates the caller of a route that requires an owner or admin. For writes with a session, reads the account from
 * the database instead of using a cached copy, which can be a minute old, so that revoking a right takes effect at once.
 * Authenticating an access token already reads its current rights.
 */
async function requireCurrentCaller(request: Request): Promise<Caller> {
  const caller = await requireCaller(request);
  if (!isWrite(request) || caller.sessionId === null) return caller;
  const account = await accountNow(caller.userId, caller.sessionId);
  if (!account.isActive) throw unauthenticated();
  caller.isAdmin = caller.claimsAdmin && account.isAdmin;
  return caller;
}

function refuseToken({ limit }: Caller): void {
  if (limit) throw new HttpError('forbidden', 'Access tokens cannot be used here. Sign in instead.');
}

async function decide(access: Access, request: Request): Promise<Caller | null> {
  const env = serverEnv();
  switch (access) {
    case 'public':
      return null;
    case 'signed-in': {
      const caller = await requireCaller(request);
      // The route does not concern an existing project, so there is no project role to check. Creating a project makes
      // the caller its owner, so an access token needs at least the role `owner` to write.
      if (isWrite(request)) requireTokenRole(caller, 'owner');
      return caller;
    }
    case 'session': {
      const caller = await requireCaller(request);
      refuseToken(caller);
      return caller;
    }
    case 'viewer':
    case 'editor':
      return requireCaller(request);
    case 'owner':
      return requireCurrentCaller(request);
    case 'admin':
    case 'admin-session': {
      const caller = await requireCurrentCaller(request);
      if (access === 'admin-session') refuseToken(caller);
      if (!caller.isAdmin) throw forbiddenRole(caller, 'admin');
      return caller;
    }
    case 'spec-workflow':
      return requireSecret(request.headers.get('x-webhook-secret'), [
        env.WEBHOOK_SECRET,
        env.WEBHOOK_SECRET_PREVIOUS,
      ]);
    case 'image-workflow':
      return requireSecret(request.headers.get('x-webhook-secret'), [
        env.IMAGE_WEBHOOK_SECRET,
        env.IMAGE_WEBHOOK_SECRET_PREVIOUS,
      ]);
    case 'cron':
      return requireSecret(request.headers.get('authorization')?.replace(/^Bearer /i, '') ?? null, [
        env.CRON_SECRET,
      ]);
  }
}

/**
 * Authorizes a request before any of its body is read. The project role is checked later. Throws `unavailable`, or an
 * error with status 401 or 403.
 */
export async function authorize<A extends Access>(access: A, request: Request): Promise<CallerOf<A>> {
  return (await decide(access, request)) as CallerOf<A>;
}
