import type { ProjectFontFile } from '@/lib/document/project-fonts';
import { readTables } from '@/lib/fonts/read-tables';
import { codePoints } from '@/lib/pdf/fonts/code-points';
import type { FontCoverage } from '@/lib/pdf/missing-glyphs';

/**
 * Returns the characters that each font contains. For a damaged font, returns no characters, because browsers do not
 * use such a font.
 */
export function fontCoverage(fonts: ProjectFontFile[]): Promise<FontCoverage[]> {
  return Promise.all(
    fonts.map(async ({ base64, ...style }) => {
      const tables = await readTables(Buffer.from(base64, 'base64')).catch(() => null);
      try {
        return { ...style, ranges: codePoints(tables?.get('cmap') ?? Buffer.alloc(4)) };
      } catch {
        return { ...style, ranges: [] };
      }
    }),
  );
}
