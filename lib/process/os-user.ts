import { spawnSync } from 'node:child_process';

export type OsUser = { uid: number; gid: number };

/**
 * Returns true if `user` can enter the folder, or if `user` is undefined. Tries to enter the folder instead of reading
 * its permissions, because ACLs and mounts also affect access.
 */
export function canEnter(folder: string, user: OsUser | undefined): boolean {
  if (!user) return true;
  const { uid, gid } = user;
  const { status } = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], {
    uid,
    gid,
    cwd: '/',
    env: {} as NodeJS.ProcessEnv,
    stdio: 'ignore',
  });
  return status === 0;
}
