import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { StartFailure } from '@/supabase/local/backend/start-failure';

export type OsUser = { uid: number; gid: number; name: string };

function findUser(name: string): OsUser | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid), name } : undefined;
}

/**
 * The operating system user that runs Postgres, which refuses to run as root. Undefined, meaning the current user, if
 * that is not root. For root it is `postgres`, created if missing, or `nobody` if it cannot be created.
 * Throws StartFailure.
 */
export function serverUser(): OsUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const known = findUser('postgres');
  if (known) return known;
  try {
    execFileSync('useradd', ['--system', '--user-group', '--shell', '/bin/false', 'postgres'], {
      stdio: 'ignore',
    });
  } catch {
    // A minimal image can lack useradd or have a read-only /etc.
  }
  const user = findUser('postgres') ?? findUser('nobody');
  if (!user) throw new StartFailure('Postgres cannot run as root here: there is no user postgres or nobody.');
  return user;
}

/** Whether a user can enter a folder. Tries it instead of checking modes, so that ACLs and mounts count too. */
export function canEnter(folder: string, user: OsUser | undefined): boolean {
  if (!user) return true;
  const { uid, gid } = user;
  return (
    spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { uid, gid, cwd: '/', stdio: 'ignore' }).status ===
    0
  );
}
