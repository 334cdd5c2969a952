import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import type { Bytes } from '@/lib/http/join-bytes';
import { adminTransfers } from '@/lib/supabase/admin';
import { callRpc } from '@/lib/supabase/call-rpc';
import type { Database } from '@/lib/supabase/database.types';
import { sendingJson } from '@/lib/supabase/json-bytes';
import { settingsOf } from './document-row';
import { jsonWith, type PackedDocument } from './packed-document';

const outcome = z.object({ outcome: z.enum(['saved', 'conflict']), version: z.int() });
type Args = Database['public']['Functions']['save_project_pages']['Args'];

/**
 * Saves a project's document over the version that it is based on. Returns the document with its new version, as JSON
 * in UTF-8. Throws `state_conflict` with `currentVersion` when there is a newer version.
 */
export async function saveDocument(
  projectId: string,
  { pages, ...rest }: PackedDocument,
  userId: string,
): Promise<Bytes> {
  const args: Omit<Args, 'p_pages'> = {
    p_user: userId,
    p_project: projectId,
    p_version: rest.version,
    p_format: rest.format,
    p_orientation: rest.orientation,
    p_language: rest.language,
    p_cover: rest.cover,
    p_settings: settingsOf(rest),
  };
  const through = sendingJson(jsonWith(args, 'p_pages', pages));
  const db = adminTransfers({ through });
  const result = await callRpc('save_project_pages', { ...args, p_pages: null }, outcome, db);
  if (result.outcome === 'conflict') {
    throw new HttpError('state_conflict', `The pages have since been saved as version ${result.version}.`, {
      members: { currentVersion: result.version },
    });
  }
  return jsonWith({ ...rest, version: result.version }, 'pages', pages);
}
