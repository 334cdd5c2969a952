import { cache } from 'react';
import { pageCaller } from '@/lib/auth/page-caller';
import { getProject } from '@/lib/projects/queries';
import { projectParams } from '@/lib/projects/schema';

/**
 * Returns the project with this id. Returns null if there is no such project, if no user is signed in, or if the user
 * may not see the project. The result is cached, because a page and its `generateMetadata` need the same project.
 */
export const readProject = cache(async (id: string) => {
  const caller = await pageCaller();
  return caller && projectParams.safeParse({ id }).success ? getProject(caller, id) : null;
});
