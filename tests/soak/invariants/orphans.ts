import type { Sql } from 'postgres';
import { poll } from '@/tests/app/support/poll';
import type { Product } from '@/tests/soak/product';

/** The files without a row, however old they are, except for outputs that a workflow may still report. */
export async function orphansOf(sql: Sql): Promise<string[]> {
  // The sweep starts at the first file, whatever the product's own sweep has looked at.
  await sql`update private.orphan_sweep set after = default where only_one`;
  const [row] = await sql`select public.sweep_orphans(0, 1000, 1000000, 1000000) as found`;
  return row?.found.paths;
}

/** Makes files two hours old, so that the next sweep removes those without a row. */
export async function ageFiles(sql: Sql, paths: string[]): Promise<void> {
  await sql`update storage.objects set created_at = now() - interval '2 hours', updated_at = now() - interval '2 hours'
             where bucket_id || '/' || name = any (${paths})`;
}

/**
 * A kill between a file and its row leaves a file without a row: the sweep of the next start removes it once
 * it is an hour old, so all such files are aged first. Returns how many there were.
 */
export async function sweepOrphans(sql: Sql, { atelier }: Product): Promise<number> {
  const left = await orphansOf(sql);
  await ageFiles(sql, left);
  await atelier.restartApp();
  await poll('the sweep has removed the files', async () => (await orphansOf(sql)).length === 0);
  return left.length;
}
