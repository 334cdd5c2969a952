'use client';

import { Button, Group, Stack, Switch, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconRefresh } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { describeError } from '@/components/feedback/describe-error';
import { usePolled } from '@/hooks/use-polled';
import type { EventDelivery } from '@/lib/workflow/endpoints/schema';
import { DeliveryRow } from './delivery-row';
import { readDeliveries, sendDeliveryAgain } from './endpoint-calls';
import { ListFrame } from './list-frame';

const REFRESH_MS = 5_000;
const FEW = 30;
const MANY = 100;

/** The latest deliveries of events; `version` increases when an endpoint changes. */
export function DeliveriesSection({ version }: { version: number }) {
  const [trouble, setTrouble] = useState(false);
  const [limit, setLimit] = useState(FEW);
  const [busy, setBusy] = useState<string | null>(null);
  const [said, setSaid] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version requires another read.
  const read = useCallback(
    (signal: AbortSignal) => readDeliveries({ limit, trouble }, signal),
    [limit, trouble, version],
  );
  const list = usePolled(read, REFRESH_MS);

  const send = async ({ id, endpointName }: EventDelivery) => {
    setBusy(id);
    try {
      await sendDeliveryAgain(id);
      setSaid(`The event is sent to ${endpointName} again.`);
    } catch (error) {
      notifications.show({ title: "Couldn't send again", message: describeError(error), color: 'red' });
    } finally {
      setBusy(null);
      list.reload();
    }
  };

  return (
    <Stack gap="md" component="section" aria-labelledby="deliveries-title">
      <Group justify="space-between">
        <Title order={2} id="deliveries-title">
          Deliveries
        </Title>
        <Group gap="md">
          <Switch
            label="Problems only"
            checked={trouble}
            onChange={(event) => setTrouble(event.currentTarget.checked)}
          />
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
      </Group>
      <ListFrame
        list={list}
        items={list.value?.deliveries ?? null}
        label="Deliveries"
        empty={trouble ? 'No delivery has failed.' : 'No event was sent yet.'}
      >
        {(delivery) => (
          <DeliveryRow
            key={delivery.id}
            delivery={delivery}
            busy={busy === delivery.id}
            onSendAgain={() => void send(delivery)}
          />
        )}
      </ListFrame>
      {limit === FEW && list.value?.nextCursor && (
        <Group justify="center">
          <Button variant="default" onClick={() => setLimit(MANY)} loading={list.loading}>
            Show more
          </Button>
        </Group>
      )}
      <Announcer text={said} />
    </Stack>
  );
}
