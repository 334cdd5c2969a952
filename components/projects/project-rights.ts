import type { Project } from '@/lib/projects/schema';

type Rights = Pick<Project, 'role' | 'archivedAt'>;

/** Returns whether the user may change the content of a project. An archived project cannot be changed. */
export function canEditProject({ role, archivedAt }: Rights): boolean {
  return role !== 'viewer' && archivedAt === null;
}

/** Returns whether the user may create and revoke share links. Archiving a project does not affect its share links. */
export function canShareProject({ role }: Rights): boolean {
  return role !== 'viewer';
}

/**
 * Returns whether the user should be told to ask for edit access. Returns false while the project is archived, because
 * edit access would not help.
 */
export function lacksEditAccess({ role, archivedAt }: Rights): boolean {
  return role === 'viewer' && archivedAt === null;
}
