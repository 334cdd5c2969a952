'use client';

import { Button, Group, Text } from '@mantine/core';
import { IconWebhook } from '@tabler/icons-react';
import { StatusPill } from '@/components/feedback/status-pill';
import { RelativeTime } from '@/components/format/relative-time';
import type { EventEndpoint } from '@/lib/event-endpoints/schema';
import { endpointPill, eventLabels } from './endpoint-labels';
import classes from './event-list.module.css';

type EndpointRowProps = {
  endpoint: EventEndpoint;
  /** The action that is running. */
  busy: 'resume' | 'delete' | null;
  onResume: () => void;
  onEdit: () => void;
  onDelete: () => void;
};

/** Shows one endpoint with its events and state. */
export function EndpointRow({ endpoint, busy, onResume, onEdit, onDelete }: EndpointRowProps) {
  const { name, url, events, headerName, pausedAt, failingSince, lastError, createdAt } = endpoint;
  const { label, tone } = endpointPill(endpoint);
  return (
    <li className={classes.event}>
      <IconWebhook size={18} stroke={1.8} aria-hidden="true" className={classes.direction} />
      <div>
        <span className={classes.title}>{name}</span>
        <Text size="sm" c="dimmed">
          {url}
        </Text>
        <Text size="sm" c="dimmed">
          {events.map((type) => eventLabels[type]).join(', ')}
        </Text>
        {headerName && (
          <Text size="sm" c="dimmed">
            With the header {headerName}
          </Text>
        )}
        {pausedAt && (
          <Text size="sm" className={classes.reason}>
            Paused <RelativeTime iso={pausedAt} />, because no event could be delivered for a day. {lastError}
          </Text>
        )}
        {!pausedAt && failingSince && (
          <Text size="sm" className={classes.reason}>
            Failing since <RelativeTime iso={failingSince} />. {lastError}
          </Text>
        )}
      </div>
      <div className={classes.outcome}>
        <StatusPill tone={tone} label={label} />
      </div>
      <Text size="sm" c="dimmed" className={classes.time}>
        <RelativeTime iso={createdAt} />
      </Text>
      <Group gap="xs" className={classes.again}>
        {pausedAt && (
          <Button
            size="xs"
            variant="default"
            loading={busy === 'resume'}
            onClick={onResume}
            aria-label={`Resume: ${name}`}
          >
            Resume
          </Button>
        )}
        <Button size="xs" variant="default" onClick={onEdit} aria-label={`Edit: ${name}`}>
          Edit
        </Button>
        {/* A `ButtonElement` keeps the focus while it is `loading`, but loses it when it is `disabled`. */}
        <Button
          size="xs"
          variant="default"
          loading={busy === 'delete'}
          onClick={onDelete}
          aria-label={`Delete: ${name}`}
        >
          Delete
        </Button>
      </Group>
    </li>
  );
}
