import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { z } from 'zod';
import { SpecDetail } from '@/components/specs/spec-detail';
import { listAreas, listBrands } from '@/lib/admin/queries';
import { pageCaller } from '@/lib/auth/page-caller';
import type { PageQuery } from '@/lib/http/page-params';
import { onePerson } from '@/lib/people/queries';
import { getSpec } from '@/lib/specs/queries';
import { specParams } from '@/lib/specs/schema';
import { requireAdmin } from '../../require-admin';

type Props = {
  params: Promise<{ id: string }>;
  searchParams: Promise<PageQuery>;
};

/** The page of the PDF to open, and the words to highlight. Invalid values are ignored. */
const readerQuery = z.object({
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
  q: z.string().max(200).catch(''),
});

// Cached, because `generateMetadata` and the page need the same spec.
const readSpec = cache(async (id: string) => {
  const caller = await pageCaller();
  return caller?.isAdmin && specParams.safeParse({ id }).success ? getSpec(caller.db, id) : null;
});

export async function generateMetadata({ params }: Pick<Props, 'params'>): Promise<Metadata> {
  const spec = await readSpec((await params).id);
  return { title: spec?.fileName ?? 'Spec' };
}

/** Shows one spec with its data, its attempts and its PDF. */
export default async function SpecPage({ params, searchParams }: Props) {
  const { id } = await params;
  const { db } = await requireAdmin(`/admin/specs/${encodeURIComponent(id)}`);
  const spec = (await readSpec(id)) ?? notFound();
  const [brands, areas, uploader] = await Promise.all([
    listBrands(db),
    listAreas(db),
    // The uploader's account may have been deleted.
    spec.createdBy ? onePerson(spec.createdBy).catch(() => null) : null,
  ]);
  const { page, q } = readerQuery.parse(await searchParams);
  return (
    <SpecDetail
      key={spec.specUploadId}
      initial={spec}
      uploader={uploader && (uploader.name ?? uploader.email)}
      brands={brands}
      areas={areas}
      page={page}
      q={q}
    />
  );
}
