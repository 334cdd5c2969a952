'use client';

import { Title } from '@mantine/core';
import { useMemo } from 'react';
import { useWorkflowEvents } from '@/hooks/use-workflow-events';
import type { EventKind } from '@/lib/workflow-events/schema';
import { EventList } from './event-list';

type SubjectEventsProps = {
  kind: EventKind;
  subjectId: string;
  /** Increases with every status change of the subject; the list reloads when it changes. */
  version: number;
  onSent: () => void;
};

/** The triggers and callbacks of one spec or image job. */
export function SubjectEvents({ kind, subjectId, version, onSent }: SubjectEventsProps) {
  const filters = useMemo(() => ({ kind, subject: subjectId }), [kind, subjectId]);
  const list = useWorkflowEvents(filters, { version });
  return (
    <section aria-labelledby="events-title">
      <Title order={2} id="events-title" mb="md">
        Triggers and callbacks
      </Title>
      <EventList list={list} withSubject={false} empty="No activity yet." onSent={onSent} />
    </section>
  );
}
