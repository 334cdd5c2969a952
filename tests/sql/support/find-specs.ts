import type { Sql, TransactionSql } from 'postgres';

type FindArguments = {
  q?: string | null;
  status?: string | null;
  brand?: string | null;
  area?: string | null;
  from?: string | null;
  before?: string | null;
  sort?: string;
  after_key?: string | null;
  after_at?: string | null;
  after_id?: string | null;
  limit?: number;
  all_versions?: boolean;
  is_only_ids?: boolean;
};
type FoundSpec = {
  id: string;
  created_at: string;
  sort_key: string | null;
  page: number | null;
  text: string | null;
};
type Found = { specs: FoundSpec[]; counts: Record<string, number>; isExact: boolean };

/** Calls `find_specs` with the connection's current role. */
export async function findSpecs(sql: Sql | TransactionSql, args: FindArguments): Promise<Found> {
  const given = Object.entries(args);
  // Send timestamps as text, because the driver would truncate them to milliseconds.
  const named = given.map(
    ([name], n) =>
      `p_${name} => $${n + 1}${/^(from|before|after_at)$/.test(name) ? '::text::timestamptz' : ''}`,
  );
  const [row] = await sql.unsafe<{ found: Found }[]>(
    `select public.find_specs(${named.join(', ')}) as found`,
    given.map(([, value]) => value ?? null),
  );
  if (!row) throw new Error('find_specs returned nothing.');
  return row.found;
}
