import type { ProjectFontFile } from '@/lib/document/project-fonts';
import { listFonts, readFontFiles } from './project-fonts';

/**
 * Returns all styles of a project's fonts with these names. Names that the project does not have are left out. The
 * caller must check access. Throws `unavailable`.
 */
export async function readProjectFonts(projectId: string, names: string[]): Promise<ProjectFontFile[]> {
  if (names.length === 0) return [];
  const fonts = (await listFonts(projectId)).filter(({ name }) => names.includes(name));
  const files = await readFontFiles(
    projectId,
    fonts.map(({ id }) => id),
  );
  return fonts.flatMap(({ id, name, bold, italic }) => {
    const base64 = files.get(id)?.toString('base64');
    return base64 ? [{ name, bold, italic, base64 }] : [];
  });
}
