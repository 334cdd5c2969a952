import type { Tables } from '@/lib/supabase/database.types';
import { dataOf } from '@/lib/supabase/database-error';
import type { Db } from '@/lib/supabase/request';
import { type SpecVersion, type SpecVersionsResponse, specStatus, type VersionsQuery } from './schema';

const VERSIONS = 500;
const columns = 'id,version,is_current,file_name,processing_status,sections_count,created_at';

type VersionRow = Pick<
  Tables<'specs'>,
  'id' | 'version' | 'is_current' | 'file_name' | 'processing_status' | 'sections_count' | 'created_at'
>;

function toVersion(row: VersionRow): SpecVersion {
  return {
    specUploadId: row.id,
    version: row.version,
    isCurrent: row.is_current,
    fileName: row.file_name,
    status: specStatus.parse(row.processing_status),
    sectionsCount: row.sections_count,
    createdAt: row.created_at,
  };
}

/**
 * Returns one page of the versions of a spec, newest first, or null if the user of `db` cannot see the spec. Throws
 * `unavailable`.
 */
export async function listSpecVersions(
  db: Db,
  id: string,
  { cursor: before }: VersionsQuery,
): Promise<SpecVersionsResponse | null> {
  const [spec] = dataOf(await db.from('specs').select('series_id').eq('id', id).limit(1));
  if (!spec) return null;
  const all = db.from('specs').select(columns).eq('series_id', spec.series_id);
  const rows = dataOf(
    await (before === undefined ? all : all.lt('version', before))
      .order('version', { ascending: false })
      .limit(VERSIONS + 1),
  );
  const versions = rows.slice(0, VERSIONS).map(toVersion);
  const last = versions.at(-1);
  return { versions, nextCursor: rows.length > VERSIONS && last ? String(last.version) : null };
}

/**
 * Returns the version with this id as `to`, and the version to compare it with as `from`. `from` is the version
 * `fromId` or, by default, the latest earlier version. Either is undefined if the user of `db` cannot see it. `from` is
 * also undefined if there is no earlier version, or if `fromId` is not a version of the same spec. Throws
 * `unavailable`.
 */
export async function findVersions(
  db: Db,
  id: string,
  fromId: string | undefined,
): Promise<{ to?: SpecVersion; from?: SpecVersion }> {
  const [to] = dataOf(await db.from('specs').select(`${columns},series_id`).eq('id', id).limit(1));
  if (!to) return {};
  const all = db.from('specs').select(columns).eq('series_id', to.series_id);
  const [from] = dataOf(
    await (fromId === undefined
      ? all.lt('version', to.version).order('version', { ascending: false })
      : all.eq('id', fromId)
    ).limit(1),
  );
  return { to: toVersion(to), from: from && toVersion(from) };
}
