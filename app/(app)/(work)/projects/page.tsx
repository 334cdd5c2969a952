import { listProjectCards } from '@/app/project-cards';
import { ProjectList } from '@/components/projects/project-list';
import { parseProjectState, projectsHref } from '@/components/projects/project-url';
import type { PageQuery } from '@/lib/http/page-params';
import { requireSignedIn } from '../../require-signed-in';

export const metadata = { title: 'Projects' };

type Props = { searchParams: Promise<PageQuery> };

/** Lists the signed-in user's projects, or all projects for an administrator. */
export default async function ProjectsPage({ searchParams }: Props) {
  const state = parseProjectState((await searchParams).state);
  const caller = await requireSignedIn(projectsHref(state));
  return <ProjectList initial={await listProjectCards(caller, { state, limit: 24 })} />;
}
