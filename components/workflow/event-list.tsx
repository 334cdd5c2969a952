'use client';

import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { describeError } from '@/components/feedback/describe-error';
import { ListFrame } from '@/components/feedback/list-frame';
import type { Pages } from '@/hooks/use-pages';
import type { WorkflowEvent } from '@/lib/workflow-events/schema';
import { applyHeld, sendAgain } from './event-calls';
import { sendableIds } from './event-labels';
import { EventRow } from './event-row';

type Action = { label: string; call: () => Promise<void>; done: string; failed: string };

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
  const run = async ({ id }: WorkflowEvent, action: Action) => {
    setBusy(id);
    setAnnouncement(undefined);
    try {
      await action.call();
      setAnnouncement(action.done);
      onSent?.();
    } catch (error) {
      notifications.show({ title: action.failed, message: describeError(error), color: 'red' });
    } finally {
      setBusy(null);
      void list.reload();
    }
  };
  const sendable = sendableIds(list.items ?? []);
  const actionOf = (event: WorkflowEvent): Action | null => {
    const { id, kind, subjectId, label } = event;
    if (event.canApply) {
      return {
        label: 'Apply',
        call: () => applyHeld(id),
        done: `The callback was applied to ${label ?? 'its item'}.`,
        failed: "Couldn't apply the callback",
      };
    }
    if (!sendable.has(id)) return null;
    return {
      label: 'Try again',
      call: () => sendAgain(kind, subjectId),
      done: `${label ?? 'The item'} was restarted.`,
      failed: "Couldn't restart",
    };
  };
  return (
    <>
      <ListFrame list={list} items={list.items} label="Triggers and callbacks" empty={empty}>
        {(event) => {
          const action = actionOf(event);
          return (
            <EventRow
              key={event.id}
              event={event}
              withSubject={withSubject}
              action={
                action && { label: action.label, busy: busy === event.id, run: () => void run(event, action) }
              }
            />
          );
        }}
      </ListFrame>
      <Announcer text={announcement} />
    </>
  );
}
