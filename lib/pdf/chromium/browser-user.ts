import { canEnter, type OsUser } from '@/lib/process/os-user';

// Numeric ids, so that /etc/passwd needs no entry for this user.
const nobody: OsUser = { uid: 65534, gid: 65534 };

/**
 * Returns the operating system user that runs the browser, or undefined for Atelier's own user. Returns `nobody` if
 * Atelier runs as root and can switch users, because Chromium cannot use its sandbox as root.
 */
export function browserUser(): OsUser | undefined {
  return process.getuid?.() === 0 && canEnter('/', nobody) ? nobody : undefined;
}
