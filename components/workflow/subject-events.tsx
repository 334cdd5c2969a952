'use client';

import { Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { EventKind } from '@/lib/workflow-events/schema';
import { EventList } from './event-list';
import { useWorkflowEvents, workflowEventsKey } from './use-workflow-events';

type SubjectEventsProps = {
  kind: EventKind;
  subjectId: string;
  /** Increases with every status change of the subject. The list reloads when this version changes. */
  version: number;
  onSent: () => void;
};

/** Lists the triggers and callbacks of one spec or image job. */
export function SubjectEvents({ kind, subjectId, version, onSent }: SubjectEventsProps) {
  const queryClient = useQueryClient();
  const list = useWorkflowEvents({ kind, subject: subjectId });
  // On mount, the first read is already in progress. The invalidation joins that read instead of starting another.
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when `version` changes.
  useEffect(() => {
    void queryClient.invalidateQueries({ queryKey: workflowEventsKey });
  }, [queryClient, version]);
  return (
    <section aria-labelledby="events-title">
      <Title order={2} id="events-title" mb="md">
        Triggers and callbacks
      </Title>
      <EventList list={list} withSubject={false} empty="No activity yet." onSent={onSent} />
    </section>
  );
}
