import { galleryHref } from '@/components/gallery/gallery-url';
import { studioHref } from '@/components/studio/studio-url';
import type { Project } from '@/lib/projects/schema';

/** Returns the URL path that opens a project: the studio, or the gallery for viewers, who cannot work in the studio. */
export function projectHref({ id, role }: Pick<Project, 'id' | 'role'>): string {
  return role === 'viewer' ? galleryHref(id) : studioHref(id);
}
