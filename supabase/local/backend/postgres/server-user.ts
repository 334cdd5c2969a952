import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { StartError } from '@/lib/errors/start-error';
import type { OsUser } from '@/lib/process/os-user';

export type ServerUser = OsUser & { name: string };

function findUser(name: string): ServerUser | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid), name } : undefined;
}

/**
 * Returns the operating system user that must run Postgres, which refuses to run as root. If the current user is not
 * root, returns undefined, meaning the current user. Otherwise returns `postgres`, created if missing, or `nobody` if
 * it cannot be created. Throws StartError.
 */
export function serverUser(): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const known = findUser('postgres');
  if (known) return known;
  try {
    execFileSync('useradd', ['--system', '--user-group', '--shell', '/bin/false', 'postgres'], {
      stdio: 'ignore',
    });
  } catch {
    // Use `nobody` instead. A minimal image can lack useradd or have a read-only /etc.
  }
  const user = findUser('postgres') ?? findUser('nobody');
  if (!user) throw new StartError('Postgres cannot run as root here: there is no user postgres or nobody.');
  return user;
}
