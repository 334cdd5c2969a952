import { z } from 'zod';
import { type DocumentKey, documentIdOf, isMainDocument } from '@/lib/document/document-key';
import { type PageQuery, readParam } from '@/lib/http/page-params';

const documentId = z.guid().toLowerCase();
const pageId = z.string().regex(/^[\w-]{1,64}$/);

/**
 * Parses the page id and the document id from the query of an editor URL; each is null if missing or malformed. A
 * URL without a document opens the main document.
 */
export function parseDocumentUrl(params: PageQuery | URLSearchParams): {
  page: string | null;
  documentId: string | null;
} {
  return {
    page: pageId.safeParse(readParam(params, 'page')).data ?? null,
    documentId: documentId.safeParse(readParam(params, 'document')).data ?? null,
  };
}

/** Returns the URL of a document's editor, optionally with a page open. */
export function documentHref(key: DocumentKey, page: string | null = null): string {
  const query = new URLSearchParams({
    ...(isMainDocument(key) ? {} : { document: documentIdOf(key) }),
    ...(page ? { page } : {}),
  }).toString();
  return `/projects/${key.projectId}/document${query && `?${query}`}`;
}
