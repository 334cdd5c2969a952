import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { DocumentEditor } from '@/components/editor/document-editor';
import { documentHref, parseDocumentUrl } from '@/components/editor/document-url';
import { requireSignedIn } from '../../../../require-signed-in';
import { readProject } from '../read-project';

type Props = {
  params: Promise<{ id: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const project = await readProject((await params).id);
  return { title: project ? `Document of ${project.name}` : 'Document' };
}

/** Shows the editor of a project's document. */
export default async function DocumentPage({ params, searchParams }: Props) {
  const { id } = await params;
  const { page } = parseDocumentUrl(await searchParams);
  const caller = await requireSignedIn(documentHref(encodeURIComponent(id), page));
  const project = (await readProject(id)) ?? notFound();
  return <DocumentEditor key={project.id} project={project} userId={caller.userId} />;
}
