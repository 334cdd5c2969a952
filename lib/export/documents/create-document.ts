import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { missingRecord } from '@/lib/errors/missing-record';
import { HttpError } from '@/lib/errors/problem';
import { uuid } from '@/lib/http/uuid';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import { documentOf, settingsOf } from '../document-row';
import { documentSettings } from '../stored-settings';
import { MAIN_NAME, MAX_DOCUMENTS } from './schema';

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('created'), id: uuid }),
  z.object({ outcome: z.literal('too_many') }),
  z.object({ outcome: z.enum(['not_found', 'idempotency_mismatch']) }),
]);

/** Returns the error for a project that already has the maximum number of documents. */
export function tooManyDocuments(): HttpError {
  const detail = `A project can have ${MAX_DOCUMENTS} documents. Delete one first.`;
  return new HttpError('state_conflict', detail);
}

type Idempotency = { key: string; bodySha256: string } | null;
type NewDocument = {
  projectId: string;
  documentId: string;
  name: string;
  copyOf?: string;
  idempotency: Idempotency;
};

async function insertDocument(userId: string, given: NewDocument): Promise<string> {
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
    p_idempotency_key: given.idempotency?.key,
    p_request_sha256: given.idempotency?.bodySha256,
  };
  const result = accepted(await callRpc('create_document', args, outcome), () =>
    missingRecord(['copyOf'], 'document of the project'),
  );
  if (result.outcome === 'too_many') throw tooManyDocuments();
  return result.id;
}

/**
 * Creates a document and returns its id. With `copyOf`, the new document is a copy of the project's document with that
 * id. Without `copyOf`, it has no pages, and takes all settings of the main document except the cover. Throws
 * `not_found` if there is no document to copy, `state_conflict` if the project has too many documents, or
 * `idempotency_mismatch`.
 */
export async function createDocument(
  projectId: string,
  userId: string,
  { name, copyOf }: { name: string; copyOf?: string },
  idempotency: Idempotency,
): Promise<string> {
  return insertDocument(userId, { projectId, documentId: randomUUID(), name, copyOf, idempotency });
}

/** Stores the main document of a project if it is not stored yet, so that it can be renamed or archived. */
export async function storeMainDocument(projectId: string, userId: string): Promise<void> {
  const main = { projectId, documentId: projectId, name: MAIN_NAME, idempotency: null };
  await insertDocument(userId, main);
}
