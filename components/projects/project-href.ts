import { galleryHref } from '@/components/gallery/gallery-url';
import { studioHref } from '@/components/studio/studio-url';
import type { Project } from '@/lib/projects/schema';
import { canEditProject } from './project-rights';

/** Returns the URL path that opens a project: the studio if the user can edit the project, otherwise the gallery. */
export function projectHref(project: Project): string {
  return canEditProject(project) ? studioHref(project.id) : galleryHref(project.id);
}
