import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import type { FileToMatch, SpecMatchingFile } from './schema';

/**
 * Returns, for each file to upload, the current spec that it is probably a newer version of, or null: a spec with the
 * same brand, area and property whose file name differs only by its version or date. Throws `unavailable`.
 */
export async function matchSpecs(files: FileToMatch[]): Promise<(SpecMatchingFile | null)[]> {
  const found = dataOf(
    await adminDb().rpc('match_specs', {
      p_files: files.map(({ fileName, brandName, area, propertyName }) => {
        return { file_name: fileName, brand: brandName, area, property: propertyName?.trim() || null };
      }),
    }),
  );
  const byPlace = new Map(
    found.map(({ n, id, file_name, version }) => [n, { specUploadId: id, fileName: file_name, version }]),
  );
  return files.map((_, index) => byPlace.get(index + 1) ?? null);
}
