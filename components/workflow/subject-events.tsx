'use client';

import { Title } from '@mantine/core';
import { useMemo } from 'react';
import { useWorkflowEvents } from '@/hooks/use-workflow-events';
import type { EventKind } from '@/lib/workflow/schema';
import { EventList } from './event-list';

type SubjectEventsProps = {
  kind: EventKind;
  subjectId: string;
  /** Grows with every move of the subject; then the list is read again. */
  version: number;
  onSent: () => void;
};

/** What went to the workflow service for one spec or image job, and what came back. */
export function SubjectEvents({ kind, subjectId, version, onSent }: SubjectEventsProps) {
  const filters = useMemo(() => ({ kind, subject: subjectId }), [kind, subjectId]);
  const list = useWorkflowEvents(filters, { version });
  return (
    <section aria-labelledby="events-title">
      <Title order={2} id="events-title" mb="md">
        Triggers and callbacks
      </Title>
      <EventList list={list} withSubject={false} empty="Nothing was sent yet." onSent={onSent} />
    </section>
  );
}
