'use client';

import { Stack } from '@mantine/core';
import { useSearchParams } from 'next/navigation';
import { useEffect, useMemo } from 'react';
import type { SpecsResponse } from '@/lib/specs/schema';
import { parseFilters, type SpecListFilters } from './spec-filters';
import { SpecList } from './spec-list';
import { UploadPanel } from './upload-panel';
import { useUploadState } from './upload-queue-provider';
import { useSpecList } from './use-spec-list';

type SpecsPanelProps = {
  initialFilters: SpecListFilters;
  initial: SpecsResponse;
  brands: string[];
  areas: string[];
};

/** Shows the upload panel and, below it, the list of specs with the filters from the URL. */
export function SpecsPanel({ initialFilters, initial, brands, areas }: SpecsPanelProps) {
  const params = useSearchParams();
  const filters = useMemo(() => parseFilters(new URLSearchParams(params.toString())), [params]);
  const list = useSpecList(filters, initialFilters, initial);
  const { items } = useUploadState();
  const sent = items.filter(({ status }) => status === 'sent').length;
  const { reload } = list;

  useEffect(() => {
    if (sent > 0) reload();
  }, [sent, reload]);

  return (
    <Stack gap="2.5rem">
      <UploadPanel brands={brands} areas={areas} />
      <SpecList list={list} filters={filters} brands={brands} areas={areas} />
    </Stack>
  );
}
