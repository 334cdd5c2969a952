import { canEnter, type OsUser } from '@/lib/process/os-user';

// Numeric ids, so that /etc/passwd needs no entry for this user.
const nobody: OsUser = { uid: 65534, gid: 65534 };

/**
 * Returns the operating system user that runs the browser: `nobody` if Atelier runs as root, because Chromium cannot
 * use its sandbox as root. Otherwise, or if root cannot switch users, returns undefined, which means Atelier's own
 * user.
 */
export function browserUser(): OsUser | undefined {
  return process.getuid?.() === 0 && canEnter('/', nobody) ? nobody : undefined;
}
