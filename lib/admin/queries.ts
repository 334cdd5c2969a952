import { dataOf } from '@/lib/supabase/database-error';
import type { Db } from '@/lib/supabase/request';

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const sorted = (rows: { name: string }[]) => rows.map((row) => row.name).sort(byName.compare);

/** All brand names, sorted. */
export async function listBrands(db: Db): Promise<string[]> {
  return sorted(dataOf(await db.from('brands').select('name').limit(10_000)));
}

/** All area type names, sorted. */
export async function listAreas(db: Db): Promise<string[]> {
  return sorted(dataOf(await db.from('area_types').select('name').limit(10_000)));
}
