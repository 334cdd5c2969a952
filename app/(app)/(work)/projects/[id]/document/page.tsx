import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { DocumentEditor } from '@/components/editor/document-editor';
import { documentHref, parseDocumentUrl } from '@/components/editor/document-url';
import { LinkButton } from '@/components/feedback/link-button';
import { MessagePage } from '@/components/feedback/message-page';
import { isHttpError } from '@/lib/errors/problem';
import { requireDocument } from '@/lib/export/documents/list-documents';
import type { PageQuery } from '@/lib/http/page-params';
import { requireSignedIn } from '../../../../require-signed-in';
import { readProject } from '../read-project';

type Props = {
  params: Promise<{ id: string }>;
  searchParams: Promise<PageQuery>;
};

/** Returns a document of a project, or null if there is no such document. The caller must check access. */
const readDocument = cache((projectId: string, documentId: string) =>
  requireDocument({ projectId, documentId }).catch((error: unknown) => {
    if (isHttpError(error) && error.code === 'not_found') return null;
    throw error;
  }),
);

export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
  const project = await readProject((await params).id);
  if (!project) return { title: 'Document' };
  const { documentId } = parseDocumentUrl(await searchParams);
  const document = documentId && (await readDocument(project.id, documentId));
  return { title: document ? `${document.name} of ${project.name}` : `Document of ${project.name}` };
}

/** Shows the editor for the document in the URL, or for the project's main document if the URL names none. */
export default async function DocumentPage({ params, searchParams }: Props) {
  const { id } = await params;
  const { page, documentId } = parseDocumentUrl(await searchParams);
  const key = { projectId: encodeURIComponent(id), documentId: documentId ?? undefined };
  const caller = await requireSignedIn(documentHref(key, page));
  const project = (await readProject(id)) ?? notFound();
  const document = await readDocument(project.id, documentId ?? project.id);
  if (!document) {
    // Do not call `notFound`, because its page says that the project was not found.
    return (
      <MessagePage title="Document not found" text="The link may be wrong, or the document was deleted.">
        <LinkButton href={documentHref({ projectId: project.id })}>Documents of the project</LinkButton>
      </MessagePage>
    );
  }
  return <DocumentEditor key={document.id} project={project} document={document} userId={caller.userId} />;
}
