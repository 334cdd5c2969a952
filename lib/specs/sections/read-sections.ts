import { HttpError } from '@/lib/errors/problem';
import { csvOf } from '@/lib/http/csv';
import { callRpc } from '@/lib/supabase/call-rpc';
import type { Db } from '@/lib/supabase/request';
import { type SectionsResponse, sectionsResponse } from './schema';

/**
 * Returns the sections of a spec. Throws `not_found` if there is no such spec or if the user of `db` is not an
 * administrator.
 */
export async function readSections(db: Db, id: string): Promise<SectionsResponse> {
  const found = await callRpc('read_spec_sections', { p_id: id }, sectionsResponse.nullable(), db);
  if (!found) throw new HttpError('not_found');
  return found;
}

/** Returns the sections of a spec as CSV. Throws `not_found`. */
export async function sectionsAsCsv(db: Db, id: string): Promise<string> {
  const { sections } = await readSections(db, id);
  const rows = sections.map(({ title, page, level, text }, n) => [
    n + 1,
    level,
    title,
    page ?? '',
    text ?? '',
  ]);
  return csvOf([['section', 'level', 'title', 'page', 'text'], ...rows]);
}
