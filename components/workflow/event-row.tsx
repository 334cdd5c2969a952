'use client';

import { Anchor, Button, Text } from '@mantine/core';
import { IconArrowDownLeft, IconArrowUpRight, IconCheck, IconRefresh } from '@tabler/icons-react';
import { StatusPill } from '@/components/feedback/status-pill';
import { RelativeTime } from '@/components/format/relative-time';
import { Link } from '@/components/shell/link';
import { studioHref } from '@/components/studio/studio-url';
import type { WorkflowEvent } from '@/lib/workflow-events/schema';
import { eventsHref } from './event-filters';
import { eventTitle, outcomePill } from './event-labels';
import classes from './event-list.module.css';

function Subject({ event }: { event: WorkflowEvent }) {
  const { kind, label, subjectId, projectId } = event;
  const subject = kind === 'spec' ? 'Spec' : 'Image';
  if (label === null) {
    return (
      <Text size="sm" c="dimmed">
        {subject} (deleted)
      </Text>
    );
  }
  const href =
    kind === 'image' && projectId ? studioHref(projectId, { job: subjectId }) : `/admin/specs/${subjectId}`;
  return (
    <Text size="sm" c="dimmed" component="span" className={classes.subject}>
      {subject}:
      <Anchor component={Link} href={href} size="sm" className={classes.label}>
        {label}
      </Anchor>
      <Anchor
        component={Link}
        href={eventsHref({ kind, subject: subjectId })}
        size="sm"
        c="dimmed"
        className={classes.history}
        aria-label={`Show history of ${label}`}
      >
        Show history
      </Anchor>
    </Text>
  );
}

type EventRowProps = {
  event: WorkflowEvent;
  /** Whether the row names its spec or image. */
  withSubject: boolean;
  /** What the event offers: to apply a held callback, or to start the run again (see `sendableIds`). */
  action: { label: string; busy: boolean; run: () => void } | null;
};

/** Shows one trigger or callback with its subject, time and outcome. */
export function EventRow({ event, withSubject, action }: EventRowProps) {
  const { label, tone } = outcomePill(event);
  const Direction = event.direction === 'sent' ? IconArrowUpRight : IconArrowDownLeft;
  return (
    <li className={classes.event} data-direction={event.direction} data-outcome={event.outcome}>
      <Direction size={18} stroke={1.8} aria-hidden="true" className={classes.direction} />
      <div>
        <span className={classes.title}>{eventTitle(event)}</span>
        {withSubject && <Subject event={event} />}
        {event.reason && (
          <Text size="sm" className={event.status === 'running' ? undefined : classes.reason}>
            {event.reason}
          </Text>
        )}
        {event.canApply && (
          <Text size="sm" c="dimmed">
            It names no run, so it may be about an earlier one. Apply it if it is about run {event.run}.
          </Text>
        )}
      </div>
      <div className={classes.outcome}>
        <StatusPill tone={tone} label={label} />
      </div>
      <Text size="sm" c="dimmed" className={classes.time}>
        <RelativeTime iso={event.createdAt} />
      </Text>
      {action && (
        <Button
          size="xs"
          variant="default"
          className={classes.again}
          leftSection={event.canApply ? <IconCheck size={14} /> : <IconRefresh size={14} />}
          loading={action.busy}
          onClick={action.run}
          aria-label={`${action.label}: ${event.label ?? 'deleted'}`}
        >
          {action.label}
        </Button>
      )}
    </li>
  );
}
