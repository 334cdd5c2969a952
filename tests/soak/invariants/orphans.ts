import type { Sql } from 'postgres';
import { retention } from '@/lib/queue/retention';
import { poll } from '@/tests/app/support/poll';
import type { Product } from '@/tests/soak/product';

/**
 * Returns the files without a row, regardless of age, except for the image job outputs that the workflow service may
 * still report.
 */
export async function orphansOf(sql: Sql): Promise<string[]> {
  // Start the sweep at the first file, regardless of where the product's own sweep would continue.
  await sql`update private.orphan_sweep set after = default where only_one`;
  const [row] = await sql`select public.sweep_orphans(0, ${retention.outputsS}, 1000000, 1000000) as found`;
  return row?.found.paths;
}

/** Backdates files by two hours, so the next sweep removes those without a row, except for image job outputs. */
export async function ageFiles(sql: Sql, paths: string[]): Promise<void> {
  await sql`update storage.objects set created_at = now() - interval '2 hours', updated_at = now() - interval '2 hours'
             where bucket_id || '/' || name = any (${paths})`;
}

/**
 * Restarts the app so that it sweeps the files that killed processes left without a row, and returns the number of
 * these files. Backdates the files first, because the app removes such files only once they are an hour old.
 */
export async function sweepOrphans(sql: Sql, { atelier }: Product): Promise<number> {
  const left = await orphansOf(sql);
  await ageFiles(sql, left);
  await atelier.restartApp();
  await poll('the sweep has removed the files', async () => (await orphansOf(sql)).length === 0);
  return left.length;
}
