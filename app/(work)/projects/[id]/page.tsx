import { notFound, redirect } from 'next/navigation';
import { galleryHref } from '@/components/gallery/gallery-url';
import { canEditProject } from '@/components/projects/can-edit';
import { studioHref } from '@/components/studio/studio-url';
import { requireSignedIn } from '../../../require-signed-in';
import { readProject } from './read-project';

/** Opens the studio of a project, or the gallery for those who can only view it. */
export default async function ProjectPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  await requireSignedIn(`/projects/${encodeURIComponent(id)}`);
  const project = (await readProject(id)) ?? notFound();
  redirect(canEditProject(project) ? studioHref(project.id) : galleryHref(project.id));
}
