import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readlink, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { messageOf } from '@/lib/errors/error-parts';
import { StartError } from '@/lib/errors/start-error';
import { canEnter } from '@/lib/process/os-user';
import type { ServerUser } from '@/supabase/local/backend/postgres/server-user';

const SYSTEM_FOLDER = '/var/lib/atelier';

/**
 * Returns the cluster's data directory, normally `<dataDir>/postgres`. If `user` cannot enter `dataDir`, tries to
 * change its mode. If that does not help (for example, below a home directory with mode 0700), returns a directory in
 * /var/lib/atelier and makes `<dataDir>/postgres` a symbolic link to it. Throws StartError.
 */
export async function clusterFolder(
  dataDir: string,
  user: ServerUser | undefined,
  log: (line: string) => void,
): Promise<string> {
  const folder = resolve(dataDir, 'postgres');
  const linked = await readlink(folder).catch(() => null);
  if (linked) {
    await mkdir(dirname(linked), { recursive: true, mode: 0o755 });
    return linked;
  }
  if (canEnter(resolve(dataDir), user)) return folder;
  // Other users may traverse the data folder, because everything confidential in it has its own permissions.
  if (canEnter(dirname(resolve(dataDir)), user)) {
    await chmod(dataDir, 0o711);
    if (canEnter(resolve(dataDir), user)) return folder;
  }
  try {
    await mkdir(SYSTEM_FOLDER, { recursive: true, mode: 0o755 });
    const home = join(SYSTEM_FOLDER, randomUUID());
    await mkdir(home, { mode: 0o755 });
    await symlink(join(home, 'postgres'), folder);
    log(`the database is in ${home}, because the user ${user?.name} cannot enter ${dataDir}`);
    return join(home, 'postgres');
  } catch (error) {
    throw new StartError(
      `The user ${user?.name} cannot enter ${dataDir}, and ${SYSTEM_FOLDER} cannot be used instead (${messageOf(error)}).`,
    );
  }
}
