'use client';

import { Button, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { describeError } from '@/components/feedback/describe-error';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { OfflineBanner } from '@/components/feedback/offline-banner';
import { useOnline } from '@/hooks/use-online';
import type { WorkflowEvents } from '@/hooks/use-workflow-events';
import type { WorkflowEvent } from '@/lib/workflow/schema';
import { sendAgain } from './event-calls';
import classes from './event-list.module.css';
import { EventRow } from './event-row';
import { sendableIds } from './event-words';

const skeletons = ['a', 'b', 'c', 'd'];

type EventListProps = {
  list: WorkflowEvents;
  /** False when all events belong to one spec or image. */
  withSubject?: boolean;
  empty: string;
  onSent?: () => void;
};

/** The list of triggers and callbacks, with its empty, loading, offline and error states. */
export function EventList({ list, withSubject = true, empty, onSent }: EventListProps) {
  const { events, error } = list;
  const online = useOnline();
  const [busy, setBusy] = useState<string | null>(null);
  const [said, setSaid] = useState<string>();
  const send = async ({ id, kind, subjectId, label }: WorkflowEvent) => {
    setBusy(id);
    try {
      await sendAgain(kind, subjectId);
      setSaid(`${label ?? 'The item'} was restarted.`);
      onSent?.();
    } catch (error) {
      notifications.show({ title: "Couldn't restart", message: describeError(error), color: 'red' });
    } finally {
      setBusy(null);
      list.reload();
    }
  };
  const sendable = sendableIds(events ?? []);
  return (
    <Stack gap="md">
      {!online && <OfflineBanner />}
      {online && error !== null && (
        <ErrorAlert title="The list could not be loaded" error={error} onRetry={list.reload} />
      )}
      {events === null && error === null && (
        <Stack gap="xs" role="status" aria-label="Loading">
          {skeletons.map((row) => (
            <Skeleton key={row} height={52} />
          ))}
        </Stack>
      )}
      {events?.length === 0 && (
        <Text c="dimmed" py="md">
          {empty}
        </Text>
      )}
      {events !== null && events.length > 0 && (
        <Paper withBorder>
          <ol className={classes.list}>
            {events.map((event) => (
              <EventRow
                key={event.id}
                event={event}
                withSubject={withSubject}
                again={
                  sendable.has(event.id) ? { busy: busy === event.id, send: () => void send(event) } : null
                }
              />
            ))}
          </ol>
        </Paper>
      )}
      {list.hasMore && (
        <Group justify="center">
          <Button variant="default" onClick={list.loadMore} loading={list.loading}>
            Show more
          </Button>
        </Group>
      )}
      <Announcer text={said} />
    </Stack>
  );
}
