'use client';

import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconArrowDownLeft, IconRefresh } from '@tabler/icons-react';
import Link from 'next/link';
import { useCallback, useState } from 'react';
import { StatusPill } from '@/components/feedback/status-pill';
import { RelativeTime } from '@/components/format/relative-time';
import { usePolled } from '@/hooks/use-polled';
import type { RefusedCallback } from '@/lib/workflow/refused/schema';
import { eventsHref } from './event-filters';
import classes from './event-list.module.css';
import { ListFrame } from './list-frame';
import { readRefused } from './refused-calls';
import { refusedLabel } from './refused-words';

const REFRESH_MS = 10_000;
const FEW = 30;
const MANY = 100;

function RefusedRow({ refused }: { refused: RefusedCallback }) {
  const { kind, code, detail, subjectId, times, lastAt } = refused;
  const what = kind === 'spec' ? 'Spec callback' : 'Image callback';
  return (
    <li className={classes.event}>
      <IconArrowDownLeft size={18} stroke={1.8} aria-hidden="true" className={classes.direction} />
      <div>
        <span className={classes.title}>
          {times === 1 ? what : `${what}, ${times.toLocaleString('en')} times`}
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
        <StatusPill tone="bad" label={refusedLabel(code)} Icon={IconAlertTriangle} />
      </div>
      <Text size="sm" c="dimmed" className={classes.time}>
        <RelativeTime iso={lastAt} />
      </Text>
    </li>
  );
}

/** The callbacks that were refused, counted per reason and minute. */
export function RefusedPanel() {
  const [limit, setLimit] = useState(FEW);
  const list = usePolled(
    useCallback((signal: AbortSignal) => readRefused(limit, signal), [limit]),
    REFRESH_MS,
  );
  return (
    <Stack gap="md" component="section" aria-label="Refused callbacks">
      <Group justify="space-between" align="flex-start">
        <Text c="dimmed" maw="46rem" flex="1 1 18rem">
          Callbacks with a wrong secret, an unknown id or an invalid body, counted per reason and minute.
          Their bodies are not kept.
        </Text>
        <Button
          variant="default"
          size="sm"
          leftSection={<IconRefresh size={16} />}
          onClick={list.reload}
          loading={list.loading}
        >
          Refresh
        </Button>
      </Group>
      <ListFrame
        list={list}
        items={list.value?.callbacks ?? null}
        label="Refused callbacks"
        empty="No callback was refused."
      >
        {(refused) => <RefusedRow key={refused.id} refused={refused} />}
      </ListFrame>
      {limit === FEW && list.value?.nextCursor && (
        <Group justify="center">
          <Button variant="default" onClick={() => setLimit(MANY)} loading={list.loading}>
            Show more
          </Button>
        </Group>
      )}
    </Stack>
  );
}
