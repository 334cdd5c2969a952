import type { Sql } from 'postgres';
import { poll } from '@/tests/app/poll';
import type { Product } from '@/tests/soak/product';

/**
 * A kill between a file and its row leaves a file that no row names: the sweep of the next start finds and removes it
 * once it is an hour old, which is said of all that are left. Answers how many there were.
 */
export async function sweepOrphans(sql: Sql, { atelier }: Product): Promise<number> {
  const orphans = async (): Promise<string[]> => {
    // From the first file on, whatever the product's own sweep has looked at.
    await sql`update private.orphan_sweep set after = default where only_one`;
    const [row] = await sql`select public.sweep_orphans(0, 1000, 1000000, 1000000) as found`;
    return row?.found.paths;
  };
  const left = await orphans();
  await sql`update storage.objects set created_at = now() - interval '2 hours', updated_at = now() - interval '2 hours'
             where bucket_id || '/' || name = any (${left})`;
  await atelier.restartApp();
  await poll('the sweep', async () => (await orphans()).length === 0);
  return left.length;
}
