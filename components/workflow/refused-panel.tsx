'use client';

import { Anchor, Group, Stack, Text } from '@mantine/core';
import { IconArrowDownLeft } from '@tabler/icons-react';
import { ListFrame } from '@/components/feedback/list-frame';
import { RefreshButton } from '@/components/feedback/refresh-button';
import { StatusPill } from '@/components/feedback/status-pill';
import { RelativeTime } from '@/components/format/relative-time';
import { Link } from '@/components/shell/link';
import { usePages } from '@/hooks/use-pages';
import type { RefusedCallback } from '@/lib/workflow-events/refused/schema';
import { eventsHref } from './event-filters';
import classes from './event-list.module.css';
import { readRefused } from './refused-calls';
import { refusedLabel } from './refused-labels';

const REFRESH_MS = 10_000;

function RefusedRow({ refused }: { refused: RefusedCallback }) {
  const { kind, code, detail, subjectId, times, lastAt } = refused;
  const callback = kind === 'spec' ? 'Spec callback' : 'Image callback';
  return (
    <li className={classes.event}>
      <IconArrowDownLeft size={18} stroke={1.8} aria-hidden="true" className={classes.direction} />
      <div>
        <span className={classes.title}>
          {times === 1 ? callback : `${callback}, ${times.toLocaleString('en')} times`}
        </span>
        <Text size="sm" className={classes.reason}>
          {detail}
        </Text>
        {subjectId && (
          <Text size="sm" c="dimmed">
            Id:{' '}
            <Anchor component={Link} href={eventsHref({ kind, subject: subjectId })} size="sm">
              {subjectId}
            </Anchor>
          </Text>
        )}
      </div>
      <div className={classes.outcome}>
        <StatusPill tone="bad" label={refusedLabel(code)} />
      </div>
      <Text size="sm" c="dimmed" className={classes.time}>
        <RelativeTime iso={lastAt} />
      </Text>
    </li>
  );
}

/** Lists rejected callbacks, grouped by kind, reason, id and minute. */
export function RefusedPanel() {
  const list = usePages({
    queryKey: ['refused-callbacks'],
    read: async (cursor, signal) => {
      const { callbacks, nextCursor } = await readRefused(cursor, signal);
      return { items: callbacks, nextCursor };
    },
    pollMs: REFRESH_MS,
  });
  return (
    <Stack gap="md" component="section" aria-label="Rejected callbacks">
      <Group justify="space-between" align="flex-start">
        <Text c="dimmed" maw="46rem" flex="1 1 18rem">
          Callbacks with a wrong secret, an unknown id or an invalid body, counted per reason and minute.
          Their bodies are not kept.
        </Text>
        <RefreshButton list={list} />
      </Group>
      <ListFrame list={list} items={list.items} label="Rejected callbacks" empty="No rejected callbacks.">
        {(refused) => <RefusedRow key={refused.id} refused={refused} />}
      </ListFrame>
    </Stack>
  );
}
