import type { Caller } from '@/lib/auth/caller';
import { listProjects } from '@/lib/projects/list-projects';
import type { ListProjectsQuery, ProjectCardData } from '@/lib/projects/schema';
import { withProfiles } from './with-profiles';

/**
 * Returns a page of the projects that `caller` can see and that have the requested state, with the names and pictures
 * of their people. Throws `invalid_request` or `unavailable`.
 */
export async function listProjectCards(
  caller: Caller,
  query: ListProjectsQuery,
): Promise<{ projects: ProjectCardData[]; nextCursor: string | null }> {
  const { projects, nextCursor } = await listProjects(caller, query);
  const people = await withProfiles(projects.flatMap((project) => project.people));
  const personOf = new Map(people.map((person) => [person.userId, person]));
  return {
    projects: projects.map((project) => ({
      ...project,
      people: project.people.map((person) => personOf.get(person.userId) ?? person),
    })),
    nextCursor,
  };
}
