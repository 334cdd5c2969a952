import { spawnSync } from 'node:child_process';

export type OsUser = { uid: number; gid: number };

// By number, so that /etc/passwd needs no entry for it.
const nobody: OsUser = { uid: 65534, gid: 65534 };

/**
 * The operating system user that runs the browser: `nobody` if Atelier runs as root, because Chromium cannot use its
 * sandbox as root. Undefined, meaning Atelier's own user, otherwise or if root cannot switch users.
 */
export function browserUser(): OsUser | undefined {
  return process.getuid?.() === 0 && canEnter('/', nobody) ? nobody : undefined;
}

/** Whether the user can enter this folder. Tested instead of computed, so that ACLs and mounts count too. */
export function canEnter(folder: string, user: OsUser | undefined): boolean {
  if (!user) return true;
  const { status } = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], {
    ...user,
    cwd: '/',
    env: {} as NodeJS.ProcessEnv,
    stdio: 'ignore',
  });
  return status === 0;
}
