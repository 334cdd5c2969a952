import { Suspense } from 'react';
import { PageHeading } from '@/components/shell/page-heading';
import { filtersQuery, parseFilters, type SpecListFilters } from '@/components/specs/spec-filters';
import { SpecListSkeleton } from '@/components/specs/spec-list-skeleton';
import { SpecsPanel } from '@/components/specs/specs-panel';
import { listAreas, listBrands } from '@/lib/admin/queries';
import type { PageQuery } from '@/lib/http/page-params';
import { listSpecs } from '@/lib/specs/queries';
import { requireAdmin } from '../require-admin';

export const metadata = { title: 'Specs' };

function urlOf(filters: SpecListFilters): string {
  const query = filtersQuery(filters);
  return `/admin/specs${query ? `?${query}` : ''}`;
}

/** Lists all spec PDFs with their status, and lets administrators upload, filter and retry them. */
export default async function SpecsPage({ searchParams }: { searchParams: Promise<PageQuery> }) {
  const filters = parseFilters(await searchParams);
  // Check access before streaming starts, because a redirect or a 403 must set the response's status.
  await requireAdmin(urlOf(filters));
  return (
    <>
      <PageHeading
        title="Specs"
        description="Upload brand spec PDFs to have them processed, search their text, correct their sections and compare their versions."
      />
      <Suspense fallback={<SpecListSkeleton />}>
        <LoadedSpecs filters={filters} />
      </Suspense>
    </>
  );
}

async function LoadedSpecs({ filters }: { filters: SpecListFilters }) {
  // Repeat the access check to get the database client. The check is cached, so repeating it costs nothing.
  const { db } = await requireAdmin(urlOf(filters));
  const [response, brands, areas] = await Promise.all([
    listSpecs(db, { ...filters, limit: 25 }),
    listBrands(db),
    listAreas(db),
  ]);
  return <SpecsPanel initialFilters={filters} initial={response} brands={brands} areas={areas} />;
}
