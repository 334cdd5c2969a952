import { access, constants, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive, processStart } from '@/supabase/local/backend/postgres/processes';
import { codeOf, messageOf, StartFailure } from '@/supabase/local/backend/start-failure';

/**
 * Creates the data folder and claims it for this process, because a second backend would kill the first one's Postgres
 * as an orphan. Replaces the claim of a dead process. Returns a function that releases the claim. Throws StartFailure.
 */
export async function claimDataDir(dataDir: string): Promise<() => Promise<void>> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o755 });
    await access(dataDir, constants.W_OK);
  } catch (error) {
    throw new StartFailure(`The data folder ${dataDir} is not writable: ${messageOf(error)}.`);
  }
  const lock = join(dataDir, 'backend.lock');
  const draft = `${lock}.${process.pid}`;
  const mine = `${process.pid} ${processStart(process.pid)}`;
  for (let attempt = 0; attempt < 5; attempt++) {
    try {
      // A link is atomic, so no process can read a partial claim.
      await writeFile(draft, mine, { mode: 0o600 });
      await link(draft, lock);
      return () => rm(lock, { force: true });
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    } finally {
      await rm(draft, { force: true });
    }
    const [pid = '', started = ''] = (await readFile(lock, 'utf8').catch(() => '')).split(' ');
    if (isAlive(Number(pid)) && processStart(Number(pid)) === started) {
      throw new StartFailure(`The data folder ${dataDir} is in use by another backend (process ${pid}).`);
    }
    await rm(lock, { force: true });
  }
  throw new StartFailure(`The data folder ${dataDir} could not be claimed.`);
}
