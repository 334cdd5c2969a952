import { cache } from 'react';
import { pageCaller } from '@/lib/auth/page-caller';
import { getProject } from '@/lib/projects/queries';
import { projectParams } from '@/lib/projects/schema';

/**
 * The project that a page is about; null where it is not there, or not for whoever is signed in. A page and its title
 * ask for the same one: it is read once.
 */
export const readProject = cache(async (id: string) => {
  const caller = await pageCaller();
  return caller && projectParams.safeParse({ id }).success ? getProject(caller, id) : null;
});
