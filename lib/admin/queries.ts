import { allRows } from '@/lib/supabase/all-rows';
import { callRpc } from '@/lib/supabase/call-rpc';
import type { Db } from '@/lib/supabase/request';
import { type Catalogue, catalogueResponse } from './schema';

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

/** Returns all brand and area type names, sorted, each with its number of specs. For administrators only. */
export async function listCatalogue(): Promise<Catalogue> {
  const { brands, areas } = await callRpc('catalogue', {}, catalogueResponse);
  const compare = (a: { name: string }, b: { name: string }) => byName.compare(a.name, b.name);
  return { brands: brands.sort(compare), areas: areas.sort(compare) };
}
