import { z } from 'zod';

const pageId = z.string().regex(/^[\w-]{1,64}$/);

/** The page that the query of an editor's address opens; whatever is no id of a page counts as absent. */
export function parseDocumentAddress(
  query: URLSearchParams | Record<string, string | string[] | undefined>,
): { page: string | null } {
  const value = query instanceof URLSearchParams ? query.get('page') : query.page;
  return { page: pageId.safeParse(Array.isArray(value) ? value[0] : value).data ?? null };
}

/** The address of the editor of a project's document. */
export function documentHref(projectId: string, page: string | null = null): string {
  return `/projects/${projectId}/document${page ? `?page=${encodeURIComponent(page)}` : ''}`;
}
