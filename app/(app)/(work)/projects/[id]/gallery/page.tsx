import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Gallery } from '@/components/gallery/gallery';
import { GALLERY_PAGE } from '@/components/gallery/gallery-calls';
import { apiFilters, galleryHref, parseGalleryUrl } from '@/components/gallery/gallery-url';
import type { PageQuery } from '@/lib/http/page-params';
import { listGallery } from '@/lib/image-gen/gallery';
import { requireSignedIn } from '../../../../require-signed-in';
import { readProject } from '../read-project';

type Props = {
  params: Promise<{ id: string }>;
  searchParams: Promise<PageQuery>;
};

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const project = await readProject((await params).id);
  return { title: project ? `Gallery of ${project.name}` : 'Gallery' };
}

/** Shows a project's images or, if the URL asks for them, the recently deleted ones. */
export default async function GalleryPage({ params, searchParams }: Props) {
  const { id } = await params;
  const filters = parseGalleryUrl(await searchParams);
  const caller = await requireSignedIn(galleryHref(encodeURIComponent(id), filters));
  const project = (await readProject(id)) ?? notFound();
  const initial = await listGallery(project.id, { ...apiFilters(filters), limit: GALLERY_PAGE });
  return <Gallery key={project.id} project={project} userId={caller.userId} initial={initial} />;
}
