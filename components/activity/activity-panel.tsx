'use client';

import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useSearchParams } from 'next/navigation';
import { useMemo } from 'react';
import { ListFrame } from '@/components/feedback/list-frame';
import { OfflineBanner } from '@/components/feedback/offline-banner';
import { RefreshButton } from '@/components/feedback/refresh-button';
import { CopyableCode } from '@/components/format/copyable-code';
import { RelativeTime } from '@/components/format/relative-time';
import { PageHeading } from '@/components/shell/page-heading';
import { pageParams } from '@/hooks/pages';
import { useOnline } from '@/hooks/use-online';
import { usePages } from '@/hooks/use-pages';
import {
  type ActivityFilters,
  type ActivityResponse,
  type AuditEvent,
  activityFilters,
  activityResponse,
} from '@/lib/activity/schema';
import { callApi } from '@/lib/http/client';
import { actionChoices, actionLabel } from './action-labels';
import classes from './activity.module.css';
import { activityHref, activityQuery, parseActivityFilters } from './activity-filters';

const pageOf = ({ events, nextCursor }: ActivityResponse) => ({ items: events, nextCursor });

function ActivityRow({ event }: { event: AuditEvent }) {
  return (
    <li className={classes.event}>
      <div>
        <span className={classes.action}>{actionLabel(event.action)}</span>
        {event.subject && <>: {event.subject}</>}
        {event.details && (
          <Text span inherit c="dimmed">
            {' '}
            ({event.details})
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {event.actor ?? 'System'}
        </Text>
        {event.requestId && (
          <details className={classes.details}>
            <summary aria-label={`Request ID: ${actionLabel(event.action)}`}>Request ID</summary>
            <CopyableCode value={event.requestId} label="Copy request ID" />
          </details>
        )}
      </div>
      <Text size="sm" c="dimmed">
        <RelativeTime iso={event.createdAt} />
      </Text>
    </li>
  );
}

type DayFieldProps = { name: 'from' | 'to'; label: string; day?: string; onChange: (day?: string) => void };

/** Shows a date field. The filter changes on blur or Enter, not while the user types. */
function DayField({ name, label, day = '', onChange }: DayFieldProps) {
  return (
    <TextInput
      // Resets the field when the filter changes elsewhere, for example when the user goes back.
      key={day}
      type="date"
      label={label}
      max="2999-12-31"
      defaultValue={day}
      onBlur={({ currentTarget: { value } }) => {
        const parsed = activityFilters.shape[name].safeParse(value || undefined);
        if (parsed.success && (parsed.data ?? '') !== day) onChange(parsed.data);
      }}
      onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
    />
  );
}

type ActivityPanelProps = { initial: ActivityResponse; actors: { id: string; name: string }[] };

/** Lists the events of the audit log that match the filters in the URL. */
export function ActivityPanel({ initial, actors }: ActivityPanelProps) {
  const params = useSearchParams();
  const online = useOnline();
  const filters = useMemo(() => parseActivityFilters(new URLSearchParams(params.toString())), [params]);
  const query = activityQuery(filters);
  const list = usePages({
    queryKey: ['activity', query],
    read: async (cursor, signal) => {
      const path = `/api/admin/activity?${activityQuery(filters, pageParams(50, cursor))}`;
      return pageOf(await callApi(path, { schema: activityResponse, signal }));
    },
    initial: pageOf(initial),
  });
  const set = (change: Partial<ActivityFilters>) =>
    window.history.pushState(null, '', activityHref({ ...filters, ...change }));
  return (
    <>
      <PageHeading
        title="Activity"
        description="Who changed accounts, roles, access tokens, members, projects, specs, brands, areas and images, and how. Kept for two years."
      >
        <Group gap="sm">
          <RefreshButton list={list} />
          <Button
            component="a"
            href={`/api/admin/activity/csv${query ? `?${query}` : ''}`}
            download="activity.csv"
            variant="default"
            size="sm"
            leftSection={<IconDownload size={16} />}
          >
            Download CSV
          </Button>
        </Group>
      </PageHeading>
      <Stack gap="md">
        {!online && <OfflineBanner />}
        <div className={classes.filters}>
          <Select
            label="Person"
            placeholder="Everyone"
            searchable
            clearable
            data={actors.map(({ id, name }) => ({ value: id, label: name }))}
            value={filters.actor ?? null}
            onChange={(actor) => set({ actor: actor ?? undefined })}
            clearButtonProps={{ 'aria-label': 'Clear person' }}
          />
          <Select
            label="Action"
            placeholder="All"
            searchable
            clearable
            data={actionChoices}
            value={filters.action ?? null}
            onChange={(action) => set({ action: action ?? undefined })}
            clearButtonProps={{ 'aria-label': 'Clear action' }}
          />
          <DayField name="from" label="From (UTC)" day={filters.from} onChange={(from) => set({ from })} />
          <DayField name="to" label="To (UTC)" day={filters.to} onChange={(to) => set({ to })} />
        </div>
        <ListFrame
          list={list}
          items={list.items}
          label="Activity"
          empty={query ? 'No activity matches these filters.' : 'No activity yet.'}
        >
          {(event) => <ActivityRow key={event.id} event={event} />}
        </ListFrame>
      </Stack>
    </>
  );
}
