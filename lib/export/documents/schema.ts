import { z } from 'zod';
import { text } from '@/lib/http/text';
import { time } from '@/lib/http/time';
import { uuid } from '@/lib/http/uuid';

/** The maximum number of documents of a project, not counting deleted ones. The database enforces it. */
export const MAX_DOCUMENTS = 100;

/** The default name of a project's main document. */
export const MAIN_NAME = 'Main document';

/** A document of a project without its content. */
export const documentSummary = z.object({
  id: uuid,
  name: z.string(),
  /** Whether this is the main document. It cannot be deleted, and requests without a `documentId` refer to it. */
  isMain: z.boolean(),
  /** The version of the content; 0 for a main document that is not stored yet. */
  version: z.int().min(0),
  /** When the document was created or last saved; null for a main document that is not stored yet. */
  savedAt: time.nullable(),
  /**
   * The user who last saved the content or, before the first save, the user who created the document. Null for a main
   * document that is not stored yet, or if the account no longer exists.
   */
  savedBy: uuid.nullable(),
  /** When the document was archived and became read-only; null if it is not archived. */
  archivedAt: time.nullable(),
  /** A deleted document can be restored until this time; null if it is not deleted. */
  restorableUntil: time.nullable(),
});
export type DocumentSummary = z.output<typeof documentSummary>;

export const documentStates = ['active', 'archived', 'deleted'] as const;
export type DocumentState = (typeof documentStates)[number];
export const listDocumentsQuery = z.object({ state: z.enum(documentStates).default('active') });
export const documentsResponse = z.object({ documents: z.array(documentSummary) });

export const oneDocumentParams = z.object({ id: uuid, documentId: uuid });
const name = text({ max: 120 });
/**
 * Body of a request that creates a document. `copyOf` is the id of a document of the same project, which is copied.
 * Without `copyOf`, the new document has no pages.
 */
export const createDocumentBody = z.object({ name, copyOf: uuid.optional() });
export const renameDocumentBody = z.object({ name });
export const archiveDocumentBody = z.object({ archived: z.boolean() });
