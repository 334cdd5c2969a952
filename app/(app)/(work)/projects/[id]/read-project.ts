import { cache } from 'react';
import { pageCaller } from '@/lib/auth/page-caller';
import { getProject } from '@/lib/projects/queries';
import { projectParams } from '@/lib/projects/schema';

/**
 * Returns the project with this id, or null if it does not exist, the user is not signed in or may not see it. Cached,
 * because a page and its title need the same project.
 */
export const readProject = cache(async (id: string) => {
  const caller = await pageCaller();
  return caller && projectParams.safeParse({ id }).success ? getProject(caller, id) : null;
});
