'use client';

import { Button, Group, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { LiveIndicator } from '@/components/feedback/live-indicator';
import { OfflineBanner } from '@/components/feedback/offline-banner';
import { RetryFailedDialog } from './retry-failed-dialog';
import { SpecFilterBar } from './spec-filter-bar';
import type { SpecFilters } from './spec-filters';
import classes from './spec-list.module.css';
import { SpecListEmpty } from './spec-list-empty';
import { SpecTable } from './spec-table';
import type { SpecList as SpecListData } from './use-spec-list';

const DIALOG_FADE_MS = 400;

type SpecListProps = { list: SpecListData; filters: SpecFilters; brands: string[]; areas: string[] };

/** Shows the specs that match the filters, with their live status. */
export function SpecList({ list, filters, brands, areas }: SpecListProps) {
  const [retrying, setRetrying] = useState(false);
  const section = useRef<HTMLDivElement>(null);
  const { specs, counts, live, loading, error } = list;
  // After the row and its focused button are gone, focus the list so that keyboard users can continue from there.
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
            onClick={() => setRetrying(true)}
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
              // Wait, because the dialog traps the focus until it has faded out.
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
      <RetryFailedDialog
        opened={retrying}
        onClose={() => {
          setRetrying(false);
          list.reload();
        }}
        onClosed={keepFocus}
        filters={filters}
        count={counts.failed}
      />
    </Stack>
  );
}
