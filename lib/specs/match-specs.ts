import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import { compareVersions } from './name-version';
import type { FileToMatch, SpecMatchingFile } from './schema';

/**
 * Returns one entry for each file to upload: the current spec that the file is probably a newer version of, or null.
 * Such a spec has the brand, area and property that are given for the file. Its file name has the same stem as the name
 * of the file to upload (`private.file_stem`), and is not newer according to `compareVersions`. Throws `unavailable`.
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
  return files.map(({ fileName }, index) => {
    const match = byPlace.get(index + 1);
    return match && compareVersions(fileName, match.fileName) >= 0 ? match : null;
  });
}
