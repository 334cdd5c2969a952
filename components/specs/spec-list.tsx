'use client';

import { Button, Group, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { LiveIndicator } from '@/components/feedback/live-indicator';
import { OfflineBanner } from '@/components/feedback/offline-banner';
import { onDemand, useEarlyLoad } from '@/components/feedback/on-demand';
import { countOf } from '@/components/format/count';
import { noSelection, select } from '@/hooks/selection';
import { useKeptFocus } from '@/hooks/use-kept-focus';
import type { Spec } from '@/lib/specs/schema';
import { numberOf } from './count-number';
import { SelectAll } from './select-all';
import { retryAllFailed, retrySpecs } from './spec-calls';
import { SpecFilterBar } from './spec-filter-bar';
import type { SpecListFilters } from './spec-filters';
import classes from './spec-list.module.css';
import { SpecListEmpty } from './spec-list-empty';
import { SpecTable } from './spec-table';
import { useManySpecs } from './use-many-specs';
import type { LiveSpecList } from './use-spec-list';

const EditSpecsDialog = onDemand(() => import('./edit-specs-dialog').then((file) => file.EditSpecsDialog), {
  opened: false,
});

const loadSelectionBar = () => import('./selection-bar').then((file) => file.SpecSelectionBar);
const SelectionBar = dynamic(loadSelectionBar);

const DIALOG_FADE_MS = 400;

type SpecListProps = { list: LiveSpecList; filters: SpecListFilters; brands: string[]; areas: string[] };

/** Shows the specs that match the filters, with live status. */
export function SpecList({ list, filters, brands, areas }: SpecListProps) {
  const { specs, counts, countsAreMinimums, live, loading, error } = list;
  const many = useManySpecs(list.reload);
  const [selection, setSelection] = useState(noSelection);
  const [editing, setEditing] = useState(false);
  const keptFocus = useKeptFocus<HTMLDivElement>();
  // Load the selection bar's code early, so that the bar appears with the first selection.
  useEarlyLoad(loadSelectionBar);
  const ids = specs.map(({ specUploadId }) => specUploadId);
  const selected = specs.filter(({ specUploadId }) => selection.ids.has(specUploadId));
  const selectedIds = selected.map(({ specUploadId }) => specUploadId);
  const focusList = () => keptFocus.ref.current?.focus({ preventScroll: true });
  const retrySelected = async (failed: Spec[]) => {
    const failedIds = failed.map(({ specUploadId }) => specUploadId);
    if (!(await many.retry(() => retrySpecs(failedIds)))) return;
    setSelection(noSelection);
    focusList();
  };
  // After the row and its focused button are gone, focus the list so that keyboard users can continue from there.
  const keepFocus = () => {
    if (document.activeElement === document.body) focusList();
  };
  return (
    <Stack
      component="section"
      gap="md"
      aria-label="All specs"
      tabIndex={-1}
      className={classes.section}
      {...keptFocus}
    >
      <SpecFilterBar
        filters={filters}
        counts={counts}
        countsAreMinimums={countsAreMinimums}
        brands={brands}
        areas={areas}
      />
      {live === 'offline' ? (
        <OfflineBanner />
      ) : (
        error !== null && (
          <ErrorAlert title="The list could not be loaded" error={error} onRetry={list.reload} />
        )
      )}
      <Group justify="space-between" mih={36}>
        <Group gap="md">
          {specs.length > 0 && (
            <SelectAll list={list} filters={filters} selection={selection} onSelect={setSelection} />
          )}
          <LiveIndicator live={live} />
        </Group>
        {counts.failed > 0 && (
          <Button
            variant="default"
            size="sm"
            leftSection={<IconRefresh size={16} />}
            loading={many.busy === 'retry'}
            onClick={() => void many.retry(() => retryAllFailed(filters))}
          >
            Try all failed again ({numberOf(counts.failed, countsAreMinimums)})
          </Button>
        )}
      </Group>
      <div className={classes.rows} aria-busy={loading === 'replacing'} data-stale={loading === 'replacing'}>
        {specs.length === 0 ? (
          <SpecListEmpty filters={filters} />
        ) : (
          <SpecTable
            specs={specs}
            q={filters.q}
            chosen={selection.ids}
            onChoose={(choice) => setSelection(select(selection, ids, choice))}
            onRetried={list.reload}
            onDeleted={(id) => {
              list.removed(id);
              // The confirmation dialog traps the focus until the dialog has faded out, so check the focus later.
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
      {selected.length > 0 && (
        <SelectionBar
          specs={selected}
          busy={many.busy}
          onRetry={(failed) => void retrySelected(failed)}
          onDownload={() => void many.download(selectedIds)}
          onEdit={() => setEditing(true)}
          onDelete={() =>
            many.remove(selectedIds, () => {
              for (const id of selectedIds) list.removed(id);
              setSelection(noSelection);
              setTimeout(keepFocus, DIALOG_FADE_MS);
            })
          }
          onClear={() => {
            setSelection(noSelection);
            focusList();
          }}
        />
      )}
      <EditSpecsDialog
        opened={editing}
        specs={selected}
        brands={brands}
        areas={areas}
        onChanged={list.reload}
        onClose={() => setEditing(false)}
      />
      <Announcer text={list.announcement} />
      <Announcer text={selected.length > 0 ? `${countOf(selected.length, 'spec')} selected.` : undefined} />
    </Stack>
  );
}
