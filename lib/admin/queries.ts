import { allRows } from '@/lib/supabase/all-rows';
import type { Db } from '@/lib/supabase/request';

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const sorted = (rows: { name: string }[]) => rows.map((row) => row.name).sort(byName.compare);

/** Returns all brand names, sorted. */
export async function listBrands(db: Db): Promise<string[]> {
  return sorted(await allRows((from, to) => db.from('brands').select('name').order('id').range(from, to)));
}

/** Returns all area type names, sorted. */
export async function listAreas(db: Db): Promise<string[]> {
  return sorted(
    await allRows((from, to) => db.from('area_types').select('name').order('id').range(from, to)),
  );
}
