import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readlink, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { canEnter, type OsUser } from '@/supabase/local/backend/postgres/os-user';
import { messageOf, StartFailure } from '@/supabase/local/backend/start-failure';

const SHELTER = '/var/lib/atelier';

/**
 * Where the cluster's files lie: `<dataDir>/postgres`. When we are root and the server's user cannot enter the data
 * folder (it lies below a home of mode 0700), that name is a link to a folder that this user can enter.
 */
export async function clusterFolder(
  dataDir: string,
  user: OsUser | undefined,
  log: (line: string) => void,
): Promise<string> {
  const folder = resolve(dataDir, 'postgres');
  const linked = await readlink(folder).catch(() => null);
  if (linked) {
    await mkdir(dirname(linked), { recursive: true, mode: 0o755 });
    return linked;
  }
  if (canEnter(resolve(dataDir), user)) return folder;
  // Our own folder may just be closed itself; passing through is harmless, all in it has modes of its own.
  if (canEnter(dirname(resolve(dataDir)), user)) {
    await chmod(dataDir, 0o711);
    if (canEnter(resolve(dataDir), user)) return folder;
  }
  try {
    await mkdir(SHELTER, { recursive: true, mode: 0o755 });
    const home = join(SHELTER, randomUUID());
    await mkdir(home, { mode: 0o755 });
    await symlink(join(home, 'postgres'), folder);
    log(`the database lies in ${home}, because the user ${user?.name} cannot enter ${dataDir}`);
    return join(home, 'postgres');
  } catch (error) {
    throw new StartFailure(
      `The user ${user?.name} cannot enter ${dataDir}, and ${SHELTER} cannot be used instead (${messageOf(error)}).`,
    );
  }
}
