'use client';

import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { describeError } from '@/components/feedback/describe-error';
import { ListFrame } from '@/components/feedback/list-frame';
import type { Pages } from '@/hooks/use-pages';
import type { WorkflowEvent } from '@/lib/workflow-events/schema';
import { sendAgain } from './event-calls';
import { sendableIds } from './event-labels';
import { EventRow } from './event-row';

type EventListProps = {
  list: Pages<WorkflowEvent>;
  /** Whether each row names its spec or image. */
  withSubject?: boolean;
  empty: string;
  onSent?: () => void;
};

/** Shows a list of triggers and callbacks, with its empty, loading and error states. */
export function EventList({ list, withSubject = true, empty, onSent }: EventListProps) {
  const [busy, setBusy] = useState<string | null>(null);
  const [announcement, setAnnouncement] = useState<string>();
  const send = async ({ id, kind, subjectId, label }: WorkflowEvent) => {
    setBusy(id);
    setAnnouncement(undefined);
    try {
      await sendAgain(kind, subjectId);
      setAnnouncement(`${label ?? 'The item'} was restarted.`);
      onSent?.();
    } catch (error) {
      notifications.show({ title: "Couldn't restart", message: describeError(error), color: 'red' });
    } finally {
      setBusy(null);
      void list.reload();
    }
  };
  const sendable = sendableIds(list.items ?? []);
  return (
    <>
      <ListFrame list={list} items={list.items} label="Triggers and callbacks" empty={empty}>
        {(event) => (
          <EventRow
            key={event.id}
            event={event}
            withSubject={withSubject}
            again={sendable.has(event.id) ? { busy: busy === event.id, send: () => void send(event) } : null}
          />
        )}
      </ListFrame>
      <Announcer text={announcement} />
    </>
  );
}
