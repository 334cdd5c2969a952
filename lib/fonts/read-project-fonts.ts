import type { ProjectFontFile } from '@/lib/document/project-fonts';
import { listFonts, readFontFiles } from './project-fonts';

/**
 * Returns all styles of a project's fonts with these names. Leaves out names that the project has no font for. Calls
 * `take` with the size of each file. The caller must check access. Throws `unavailable`.
 */
export async function readProjectFonts(
  projectId: string,
  names: string[],
  take: (size: number) => void = () => {},
): Promise<ProjectFontFile[]> {
  if (names.length === 0) return [];
  const fonts = (await listFonts(projectId)).filter(({ name }) => names.includes(name));
  const files = await readFontFiles(
    projectId,
    fonts.map(({ id }) => id),
  );
  return fonts.flatMap(({ id, name, bold, italic }) => {
    const file = files.get(id);
    if (!file) return [];
    take(file.byteLength);
    return [{ name, bold, italic, base64: file.toString('base64') }];
  });
}
