import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { readCursor, readShare } from '@/app/share/read-share';
import { SharePage } from '@/components/share-page/share-page';
import { SharedDocument } from '@/components/share-page/shared-document';
import { SharedImages } from '@/components/share-page/shared-images';
import type { PageQuery } from '@/lib/http/page-params';
import { listSharedImages } from '@/lib/share-links/open-link';

type Props = {
  params: Promise<{ token: string }>;
  searchParams: Promise<PageQuery>;
};

const IMAGES_PER_PAGE = 100;

async function visitOf({ params, searchParams }: Props) {
  const { token } = await params;
  const cursor = readCursor((await searchParams).after);
  // A visitor can load several pages of images. Count the visit only on the first page.
  const share = await readShare(token, cursor === undefined);
  return { token, cursor, share };
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { share } = await visitOf(props);
  return {
    title: share ? { absolute: share.projectName } : 'Link not available',
    referrer: 'no-referrer',
    robots: { index: false, follow: false },
  };
}

/** Shows the images or the document of a share link to anyone who has the link. */
export default async function ShareLinkPage(props: Props) {
  const { token, cursor, share } = await visitOf(props);
  if (!share) notFound();
  const base = `/share/${token}`;
  if (share.kind === 'document') {
    return (
      <SharePage title={share.projectName}>
        <SharedDocument src={`${base}/document`} title={share.projectName} />
      </SharePage>
    );
  }
  const { images, nextCursor } = await listSharedImages(token, { limit: IMAGES_PER_PAGE, cursor });
  return (
    <SharePage title={share.projectName}>
      <SharedImages
        images={images}
        base={base}
        allowDownload={share.allowDownload}
        newestHref={cursor === undefined ? null : base}
        olderHref={nextCursor === null ? null : `${base}?after=${nextCursor}`}
      />
    </SharePage>
  );
}
