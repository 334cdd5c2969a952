import { notFound, redirect } from 'next/navigation';
import { projectHref } from '@/components/projects/project-href';
import { requireSignedIn } from '../../../require-signed-in';
import { readProject } from './read-project';

/** Redirects users who can edit the project to its studio, and other members to its gallery. */
export default async function ProjectPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  await requireSignedIn(`/projects/${encodeURIComponent(id)}`);
  redirect(projectHref((await readProject(id)) ?? notFound()));
}
