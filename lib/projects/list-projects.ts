import { z } from 'zod';
import type { Caller } from '@/lib/auth/caller';
import { afterKeyset, cutPage, decodeCursor } from '@/lib/http/page';
import { uuid } from '@/lib/http/uuid';
import { restorableUntil, retention } from '@/lib/queue/retention';
import { signedUrls, VIEW_URL_S } from '@/lib/storage/objects';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import { projectOf, roleOf } from './queries';
import {
  CARD_IMAGES,
  CARD_PEOPLE,
  type ListProjectsQuery,
  type Project,
  type ProjectCardData,
} from './schema';

type Listed = Project & { deletedAt: string | null };
type ListedPage = { projects: Listed[]; nextCursor: string | null };

const cardRow = z.object({
  project_id: uuid,
  active_at: z.string(),
  images: z.array(z.object({ id: uuid, path: z.string() })),
  people: z.array(z.object({ user_id: uuid, email: z.string() })),
  people_count: z.int(),
});

async function readDeleted({ db }: Caller, { limit, cursor }: ListProjectsQuery): Promise<ListedPage> {
  const before = cursor === undefined ? null : decodeCursor(cursor);
  const found = dataOf(
    await db.rpc('list_deleted_projects', {
      p_within_s: retention.deletedProjectsS,
      p_limit: limit + 1,
      p_before: before?.createdAt,
      p_before_id: before?.id,
    }),
  );
  const { rows, nextCursor } = cutPage(found, limit);
  const projects = rows.map((row) => ({ ...projectOf(row, 'owner'), deletedAt: row.deleted_at }));
  return { projects, nextCursor };
}

async function readVisible(caller: Caller, query: ListProjectsQuery): Promise<ListedPage> {
  let page = caller.db
    .from('projects')
    .select('id,name,created_at,archived_at,project_members(role)')
    .eq('project_members.user_id', caller.userId)
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
    .limit(query.limit + 1);
  page = query.state === 'archived' ? page.not('archived_at', 'is', null) : page.is('archived_at', null);
  if (query.cursor) page = page.or(afterKeyset(decodeCursor(query.cursor)));
  const { rows, nextCursor } = cutPage(dataOf(await page), query.limit);
  const projects = rows.map((row) => ({
    ...projectOf(row, roleOf(caller, row.project_members)),
    deletedAt: null,
  }));
  return { projects, nextCursor };
}

/** Reads the cards of these projects with one query, and signs all of their image URLs with one request. */
async function readCards(projects: Listed[]): Promise<ProjectCardData[]> {
  if (projects.length === 0) return [];
  const args = { p_projects: projects.map(({ id }) => id), p_images: CARD_IMAGES, p_people: CARD_PEOPLE };
  const rows = z.array(cardRow).parse(dataOf(await adminDb().rpc('project_cards', args)));
  const paths = rows.flatMap(({ images }) => images.map(({ path }) => path));
  const urls = await signedUrls(paths, VIEW_URL_S);
  const urlOf = new Map(paths.map((path, i) => [path, urls[i] ?? null]));
  const rowOf = new Map(rows.map((row) => [row.project_id, row]));
  return projects.flatMap(({ deletedAt, ...project }) => {
    const row = rowOf.get(project.id);
    // The sweep removed the project after it was listed.
    if (!row) return [];
    return {
      ...project,
      activeAt: row.active_at,
      restorableUntil: deletedAt && restorableUntil(deletedAt, retention.deletedProjectsS),
      images: row.images.map(({ id, path }) => ({ id, url: urlOf.get(path) ?? null })),
      people: row.people.map(({ user_id, email }) => ({ userId: user_id, email })),
      peopleCount: row.people_count,
    };
  });
}

/**
 * Returns a page of the projects that a caller can see and that have the requested state, newest first, with the
 * caller's role in each. Throws `invalid_request` or `unavailable`.
 */
export async function listProjects(
  caller: Caller,
  query: ListProjectsQuery,
): Promise<{ projects: ProjectCardData[]; nextCursor: string | null }> {
  const { projects, nextCursor } = await (query.state === 'deleted' ? readDeleted : readVisible)(
    caller,
    query,
  );
  return { projects: await readCards(projects), nextCursor };
}
