import type { Project } from '@/lib/projects/schema';

/** Returns whether the user may change the content of a project. An archived project cannot be changed. */
export function canEditProject({ role, archivedAt }: Project): boolean {
  return role !== 'viewer' && archivedAt === null;
}
