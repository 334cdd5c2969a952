import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import { documentOf, settingsOf } from '../document-row';
import { documentSettings } from '../stored-settings';
import { MAIN_NAME, MAX_DOCUMENTS } from './schema';

const outcome = z.object({ outcome: z.enum(['created', 'not_found', 'too_many']) });

/** Returns the error for exceeding the number of documents of a project. */
export function tooManyDocuments(): HttpError {
  const detail = `A project can have ${MAX_DOCUMENTS} documents. Delete one first.`;
  return new HttpError('state_conflict', detail);
}

type NewDocument = { projectId: string; documentId: string; name: string; copyOf?: string };

async function insertDocument(userId: string, given: NewDocument): Promise<void> {
  const empty = documentSettings.parse(documentOf(undefined));
  const args = {
    p_user: userId,
    p_project: given.projectId,
    p_document: given.documentId,
    p_name: given.name,
    p_format: empty.format,
    p_orientation: empty.orientation,
    p_language: empty.language,
    p_cover: empty.cover,
    p_settings: settingsOf(empty),
    p_copy_of: given.copyOf,
  };
  const result = accepted(await callRpc('create_document', args, outcome));
  if (result.outcome === 'too_many') throw tooManyDocuments();
}

/**
 * Creates a document without pages, with the settings of the main document, or a copy of another document of the
 * project, and returns its id. Throws `not_found` if there is no document to copy, and `state_conflict` if the project
 * has too many documents.
 */
export async function createDocument(
  projectId: string,
  userId: string,
  { name, copyOf }: { name: string; copyOf?: string },
): Promise<string> {
  const documentId = randomUUID();
  await insertDocument(userId, { projectId, documentId, name, copyOf });
  return documentId;
}

/** Stores the main document of a project if it was never saved, so it can be renamed or archived. */
export function storeMainDocument(projectId: string, userId: string): Promise<void> {
  return insertDocument(userId, { projectId, documentId: projectId, name: MAIN_NAME });
}
