import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Studio } from '@/components/studio/studio';
import { parseStudioUrl, studioHref } from '@/components/studio/studio-url';
import { JOBS_PAGE, MESSAGES_PAGE } from '@/hooks/image-gen/image-gen-calls';
import type { PageCaller } from '@/lib/auth/page-caller';
import type { PageQuery } from '@/lib/http/page-params';
import { getJob, listJobs, listMessages } from '@/lib/image-gen/queries';
import { requireSignedIn } from '../../../../require-signed-in';
import { readProject } from '../read-project';

type Props = {
  params: Promise<{ id: string }>;
  searchParams: Promise<PageQuery>;
};

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const project = await readProject((await params).id);
  return { title: project ? `Studio of ${project.name}` : 'Studio' };
}

async function readConversation({ db }: PageCaller, projectId: string, jobId: string) {
  // Read the job first, so that the messages are never older than the job's state.
  const job = await getJob(db, jobId);
  if (job?.projectId !== projectId) return null;
  const chat = await listMessages(db, jobId, { limit: MESSAGES_PAGE });
  return chat && { job, ...chat };
}

/** Shows the studio, where users generate and refine a project's images. */
export default async function StudioPage({ params, searchParams }: Props) {
  const { id } = await params;
  const url = parseStudioUrl(await searchParams);
  const { job, status } = url;
  const caller = await requireSignedIn(studioHref(encodeURIComponent(id), url));
  const project = (await readProject(id)) ?? notFound();
  const [page, conversation] = await Promise.all([
    listJobs(caller.db, { projectId: project.id, limit: JOBS_PAGE, status: status ?? undefined }),
    job ? readConversation(caller, project.id, job) : null,
  ]);
  return (
    <Studio
      key={project.id}
      project={project}
      userId={caller.userId}
      start={{ ...page, status, conversation }}
    />
  );
}
