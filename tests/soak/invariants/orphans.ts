import type { Sql } from 'postgres';
import { poll } from '@/tests/app/poll';
import type { Product } from '@/tests/soak/product';

/**
 * A kill between a file and its row leaves a file that no row names: the sweep of the next start finds and removes it
 * once it is an hour old, which is said of all that are left. Answers how many there were.
 */
export async function sweepOrphans(sql: Sql, { atelier }: Product): Promise<number> {
  const orphans = () => sql<{ name: string }[]>`select name from public.orphaned_objects(0, 1000, 100)`;
  const left = (await orphans()).map(({ name }) => name);
  await sql`update storage.objects set created_at = now() - interval '2 hours' where name = any (${left})`;
  await atelier.restartApp();
  await poll('the sweep', async () => (await orphans()).length === 0, { timeoutMs: 30_000 });
  return left.length;
}
