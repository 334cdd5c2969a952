import { canEnter, type OsUser } from '@/lib/process/os-user';

// By number, so that /etc/passwd needs no entry for it.
const nobody: OsUser = { uid: 65534, gid: 65534 };

/**
 * The operating system user that runs the browser: `nobody` if Atelier runs as root, because Chromium cannot use its
 * sandbox as root. Undefined, meaning Atelier's own user, otherwise or if root cannot switch users.
 */
export function browserUser(): OsUser | undefined {
  return process.getuid?.() === 0 && canEnter('/', nobody) ? nobody : undefined;
}
