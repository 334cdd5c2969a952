import { spawnSync } from 'node:child_process';

export type OsUser = { uid: number; gid: number };

// By number, so that a machine without an entry for it in /etc/passwd will do.
const nobody: OsUser = { uid: 65534, gid: 65534 };

/**
 * The operating system user that the browser runs as: `nobody` when we are root, whom Chromium refuses to sandbox;
 * undefined (whoever we are) otherwise, and where root may not change its user.
 */
export function browserUser(): OsUser | undefined {
  return process.getuid?.() === 0 && canEnter('/', nobody) ? nobody : undefined;
}

/** Can that user really enter this folder? Tried rather than computed, so ACLs and mounts count too. */
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
