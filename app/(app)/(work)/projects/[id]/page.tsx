import { notFound, redirect } from 'next/navigation';
import { projectHref } from '@/components/projects/project-href';
import { requireSignedIn } from '../../../require-signed-in';
import { readProject } from './read-project';

/** Redirects to the project's studio, or to its gallery if the user cannot edit the project. */
export default async function ProjectPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  await requireSignedIn(`/projects/${encodeURIComponent(id)}`);
  redirect(projectHref((await readProject(id)) ?? notFound()));
}
