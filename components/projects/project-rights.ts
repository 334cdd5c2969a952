import type { Project } from '@/lib/projects/schema';

type Rights = Pick<Project, 'role' | 'archivedAt'>;

/** Returns whether the user may change the content of a project. An archived project cannot be changed. */
export function canEditProject({ role, archivedAt }: Rights): boolean {
  return role !== 'viewer' && archivedAt === null;
}

/** Returns whether the user may create and revoke share links. Those of an archived project still work. */
export function canShareProject({ role }: Rights): boolean {
  return role !== 'viewer';
}

/** Returns whether to tell the user to ask for edit access, which does not help while the project is archived. */
export function lacksEditAccess({ role, archivedAt }: Rights): boolean {
  return role === 'viewer' && archivedAt === null;
}
