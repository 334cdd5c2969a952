'use client';

import { Pill, SegmentedControl, Stack, Switch } from '@mantine/core';
import { useSearchParams } from 'next/navigation';
import { useMemo } from 'react';
import { RefreshButton } from '@/components/feedback/refresh-button';
import { type EventsResponse, eventDirection, eventKind } from '@/lib/workflow-events/schema';
import { type EventFilters, eventsHref, parseEventFilters } from './event-filters';
import { EventList } from './event-list';
import classes from './event-list.module.css';
import { useWorkflowEvents } from './use-workflow-events';

/** Lists the triggers and callbacks of all specs and image jobs, filtered by the URL. */
export function WorkflowPanel({ initial }: { initial: EventsResponse | null }) {
  const params = useSearchParams();
  const filters = useMemo(() => parseEventFilters(new URLSearchParams(params.toString())), [params]);
  const list = useWorkflowEvents(filters, initial);
  const set = (change: Partial<EventFilters>) =>
    window.history.pushState(null, '', eventsHref({ ...filters, ...change }));
  return (
    <Stack gap="md" component="section" aria-label="Activity">
      <div className={classes.filters}>
        <SegmentedControl
          aria-label="Kind"
          value={filters.kind ?? 'all'}
          onChange={(value) => set({ kind: eventKind.safeParse(value).data })}
          data={[
            { value: 'all', label: 'All' },
            { value: 'spec', label: 'Specs' },
            { value: 'image', label: 'Images' },
          ]}
        />
        <SegmentedControl
          aria-label="Direction"
          value={filters.direction ?? 'all'}
          onChange={(value) => set({ direction: eventDirection.safeParse(value).data })}
          data={[
            { value: 'all', label: 'All' },
            { value: 'sent', label: 'Outgoing' },
            { value: 'received', label: 'Incoming' },
          ]}
        />
        <Switch
          label="Problems only"
          checked={filters.trouble ?? false}
          onChange={(event) => set({ trouble: event.currentTarget.checked || undefined })}
        />
        <div className={classes.refresh}>
          <RefreshButton list={list} />
        </div>
      </div>
      {filters.subject && (
        <Pill
          size="md"
          withRemoveButton
          onRemove={() => set({ subject: undefined })}
          removeButtonProps={{ 'aria-label': 'Show all', 'aria-hidden': false, tabIndex: 0 }}
          style={{ alignSelf: 'flex-start' }}
        >
          Filtered: one item
        </Pill>
      )}
      <EventList list={list} empty="No activity to show." />
    </Stack>
  );
}
