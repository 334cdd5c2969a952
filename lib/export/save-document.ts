import { z } from 'zod';
import type { Caller } from '@/lib/auth/caller';
import type { DocumentKey } from '@/lib/document/document-key';
import { HttpError } from '@/lib/errors/problem';
import type { Bytes } from '@/lib/http/join-bytes';
import { adminTransfers } from '@/lib/supabase/admin';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import type { Database } from '@/lib/supabase/database.types';
import { sendingJson } from '@/lib/supabase/json-bytes';
import { noDocument, settingsOf } from './document-row';
import { type GivenDocument, jsonBytes, jsonWith } from './packed-document';
import { requireStorable } from './parse-body';
import { type DocumentSettings, documentSettings, readSettings } from './stored-settings';

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.enum(['saved', 'conflict']), version: z.int() }),
  z.object({ outcome: z.literal('not_found') }),
]);
type Args = Database['public']['Functions']['save_project_pages']['Args'];

function isComplete(given: Partial<DocumentSettings>): given is DocumentSettings {
  return documentSettings.keyof().options.every((setting) => given[setting] !== undefined);
}

/**
 * Saves a document. `version` is the version that the changes are based on. Settings that are left out keep their
 * stored values, so that an older client does not reset a setting that it does not support. Returns the document with
 * its new version, as JSON in UTF-8. Throws `project_closed`, `document_archived`, `not_found`, `too_large`, or
 * `state_conflict` with `currentVersion` if `version` is not the current version.
 */
export async function saveDocument(
  { db, userId }: Pick<Caller, 'db' | 'userId'>,
  key: DocumentKey,
  { version, pages, ...given }: GivenDocument,
): Promise<Bytes> {
  // Another save can change the settings after this read. In that case, the database rejects this save as outdated.
  const settings = isComplete(given)
    ? given
    : { ...documentSettings.parse(await readSettings(db, key)), ...given };
  requireStorable(pages.byteLength + jsonBytes({ version, ...settings, pages: 0 }).byteLength - 1);
  const args: Omit<Args, 'p_pages'> = {
    p_user: userId,
    p_project: key.projectId,
    p_document: key.documentId,
    p_version: version,
    p_format: settings.format,
    p_orientation: settings.orientation,
    p_language: settings.language,
    p_cover: settings.cover,
    p_settings: settingsOf(settings),
  };
  const through = sendingJson(jsonWith(args, 'p_pages', pages));
  const transfers = adminTransfers({ through });
  const result = accepted(
    await callRpc('save_project_pages', { ...args, p_pages: null }, outcome, transfers),
    noDocument,
  );
  if (result.outcome === 'conflict') {
    throw new HttpError('state_conflict', `The pages have since been saved as version ${result.version}.`, {
      members: { currentVersion: result.version },
    });
  }
  return jsonWith({ version: result.version, ...settings }, 'pages', pages);
}
