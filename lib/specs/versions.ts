import type { Tables } from '@/lib/supabase/database.types';
import { dataOf } from '@/lib/supabase/database-error';
import type { Db } from '@/lib/supabase/request';
import { type SpecVersion, specStatus } from './schema';

/** More versions of one spec are not listed. */
const MAX_VERSIONS = 500;

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
 * Returns the versions of a spec, newest first, or null when this user cannot see a spec with this id. Throws
 * `unavailable`.
 */
export async function listVersions(db: Db, id: string): Promise<SpecVersion[] | null> {
  const [spec] = dataOf(await db.from('specs').select('series_id').eq('id', id).limit(1));
  if (!spec) return null;
  const rows = dataOf(
    await db
      .from('specs')
      .select('id,version,is_current,file_name,processing_status,sections_count,created_at')
      .eq('series_id', spec.series_id)
      .order('version', { ascending: false })
      .limit(MAX_VERSIONS),
  );
  return rows.map(toVersion);
}
