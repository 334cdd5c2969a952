import { z } from 'zod';

const pageId = z.string().regex(/^[\w-]{1,64}$/);

/** Parses the page id from the query of an editor URL; null when it is missing or malformed. */
export function parseDocumentUrl(query: URLSearchParams | Record<string, string | string[] | undefined>): {
  page: string | null;
} {
  const value = query instanceof URLSearchParams ? query.get('page') : query.page;
  return { page: pageId.safeParse(Array.isArray(value) ? value[0] : value).data ?? null };
}

/** Returns the URL of a project's document editor, optionally with a page open. */
export function documentHref(projectId: string, page: string | null = null): string {
  return `/projects/${projectId}/document${page ? `?page=${encodeURIComponent(page)}` : ''}`;
}
