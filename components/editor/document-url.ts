import { z } from 'zod';
import { type DocumentKey, documentIdOf, isMainDocument } from '@/lib/document/document-key';

const documentId = z.guid().toLowerCase();
const pageId = z.string().regex(/^[\w-]{1,64}$/);

type Query = URLSearchParams | Record<string, string | string[] | undefined>;

function parameter(query: Query, name: string): string | null | undefined {
  const value = query instanceof URLSearchParams ? query.get(name) : query[name];
  return Array.isArray(value) ? value[0] : value;
}

/**
 * Parses the page id and the document id from the query of an editor URL; each is null if missing or malformed. A
 * URL without a document opens the main document.
 */
export function parseDocumentUrl(query: Query): { page: string | null; documentId: string | null } {
  return {
    page: pageId.safeParse(parameter(query, 'page')).data ?? null,
    documentId: documentId.safeParse(parameter(query, 'document')).data ?? null,
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
