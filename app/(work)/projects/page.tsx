import { ProjectList } from '@/components/projects/project-list';
import { listProjects } from '@/lib/projects/queries';
import { requireSignedIn } from '../../require-signed-in';

export const metadata = { title: 'Projects' };

/** Lists the signed-in user's projects, or all projects for an administrator. */
export default async function ProjectsPage() {
  const caller = await requireSignedIn('/projects');
  return <ProjectList initial={await listProjects(caller, { limit: 24 })} />;
}
