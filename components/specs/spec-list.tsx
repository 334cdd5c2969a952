'use client';

import { Button, Group, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useRef } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { LiveIndicator } from '@/components/feedback/live-indicator';
import { OfflineBanner } from '@/components/feedback/offline-banner';
import { SpecFilterBar } from './spec-filter-bar';
import type { SpecFilters } from './spec-filters';
import classes from './spec-list.module.css';
import { SpecListEmpty } from './spec-list-empty';
import { SpecTable } from './spec-table';
import { useRetryMany } from './use-retry-many';
import type { SpecList as SpecListData } from './use-spec-list';

const DIALOG_FADE_MS = 400;

type SpecListProps = { list: SpecListData; filters: SpecFilters; brands: string[]; areas: string[] };

/** The specs that match the filters, with live status. */
export function SpecList({ list, filters, brands, areas }: SpecListProps) {
  const section = useRef<HTMLDivElement>(null);
  const { specs, counts, live, loading, error } = list;
  const retryMany = useRetryMany(list.reload);
  const retryButton = useRef<HTMLButtonElement>(null);
  const retryAllFailed = async () => {
    const { status: _, ...failed } = filters;
    await retryMany.retry({ failed });
    // The button goes when nothing has failed any more.
    if (retryButton.current === document.activeElement) section.current?.focus({ preventScroll: true });
  };
  // The row and its focused button are gone; keyboard users continue from the list.
  const keepFocus = () => {
    if (document.activeElement === document.body) section.current?.focus({ preventScroll: true });
  };
  return (
    <Stack
      component="section"
      gap="md"
      aria-label="All specs"
      ref={section}
      tabIndex={-1}
      className={classes.section}
    >
      <SpecFilterBar filters={filters} counts={counts} brands={brands} areas={areas} />
      {live === 'offline' ? (
        <OfflineBanner />
      ) : (
        error !== null && (
          <ErrorAlert title="The list could not be loaded" error={error} onRetry={list.reload} />
        )
      )}
      <Group justify="space-between" mih={36}>
        <LiveIndicator live={live} />
        {counts.failed > 0 && (
          <Button
            variant="default"
            size="sm"
            leftSection={<IconRefresh size={16} />}
            ref={retryButton}
            loading={retryMany.busy}
            onClick={() => void retryAllFailed()}
          >
            Try all failed again ({counts.failed.toLocaleString('en')})
          </Button>
        )}
      </Group>
      <div className={classes.rows} aria-busy={loading === 'replacing'} data-stale={loading === 'replacing'}>
        {specs.length === 0 ? (
          <SpecListEmpty filters={filters} />
        ) : (
          <SpecTable
            specs={specs}
            onRetried={list.reload}
            onDeleted={(id) => {
              list.removed(id);
              // The dialog traps the focus until it has faded out.
              setTimeout(keepFocus, DIALOG_FADE_MS);
            }}
          />
        )}
      </div>
      {list.hasMore && (
        <Group justify="center">
          <Button variant="default" onClick={list.loadMore} loading={loading === 'more'}>
            Show more
          </Button>
        </Group>
      )}
      {!list.hasMore && specs.length > 10 && (
        <Text size="sm" c="dimmed" ta="center">
          End of list
        </Text>
      )}
      <Announcer text={list.announcement} />
    </Stack>
  );
}
