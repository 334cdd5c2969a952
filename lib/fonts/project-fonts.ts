import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import { uuid } from '@/lib/http/uuid';
import { adminDb } from '@/lib/supabase/admin';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import { dataOf } from '@/lib/supabase/database-error';
import type { FontStyle } from './read-font';
import { MAX_ALL_FONTS_BYTES, MAX_FONTS, type ProjectFont } from './schema';

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('created'), id: uuid, created_at: z.string() }),
  z.object({ outcome: z.literal('too_many') }),
]);

/** Returns the fonts of a project, sorted by name and style. The caller must check access. Throws `unavailable`. */
export async function listFonts(projectId: string): Promise<ProjectFont[]> {
  const rows = dataOf(await adminDb().rpc('list_project_fonts', { p_project: projectId }));
  return rows.map(({ file_name, created_at, ...font }) => ({
    ...font,
    fileName: file_name,
    createdAt: created_at,
  }));
}

/**
 * Returns the files of a project's fonts by font id. Leaves out fonts that the project does not have. The caller must
 * check access. Throws `unavailable`.
 */
export async function readFontFiles(
  projectId: string,
  ids: string[],
): Promise<Map<string, Buffer<ArrayBuffer>>> {
  if (ids.length === 0) return new Map();
  const rows = dataOf(await adminDb().rpc('read_project_fonts', { p_project: projectId, p_ids: ids }));
  return new Map(rows.map(({ id, bytes }) => [id, Buffer.from(bytes, 'base64')]));
}

/**
 * Adds a font, or replaces the one with the same family and style. Throws `state_conflict` if the project's fonts would
 * then exceed a limit.
 */
export async function addFont(
  target: { projectId: string; userId: string },
  { name, bold, italic }: FontStyle,
  file: { fileName: string; bytes: Buffer },
): Promise<ProjectFont> {
  const args = {
    p_user: target.userId,
    p_project: target.projectId,
    p_name: name,
    p_bold: bold,
    p_italic: italic,
    p_file_name: file.fileName,
    p_bytes: file.bytes.toString('base64'),
  };
  const result = accepted(await callRpc('add_project_font', args, outcome));
  if (result.outcome === 'too_many') {
    const limits = `${MAX_FONTS} fonts, with ${MAX_ALL_FONTS_BYTES >> 20} MB together`;
    throw new HttpError('state_conflict', `A project can have ${limits}. Remove one first.`);
  }
  const { id, created_at: createdAt } = result;
  return { id, name, bold, italic, fileName: file.fileName, createdAt };
}

/**
 * Removes a font. Text that uses it is then set in another style of the font's family, or in the standard font if the
 * family has no style left. Throws `not_found` or `project_closed`.
 */
export async function removeFont(projectId: string, id: string): Promise<void> {
  const args = { p_project: projectId, p_id: id };
  if (!(await callRpc('remove_project_font', args, z.boolean()))) throw new HttpError('not_found');
}
