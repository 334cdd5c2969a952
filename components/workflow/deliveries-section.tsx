'use client';

import { Group, Stack, Switch, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { describeError } from '@/components/feedback/describe-error';
import { ListFrame } from '@/components/feedback/list-frame';
import { RefreshButton } from '@/components/feedback/refresh-button';
import { usePages } from '@/hooks/use-pages';
import type { EventDelivery } from '@/lib/event-endpoints/schema';
import { DeliveryRow } from './delivery-row';
import { readDeliveries, sendDeliveryAgain } from './endpoint-calls';

const REFRESH_MS = 5_000;

export const deliveriesKey = ['event-deliveries'];

/** Lists the deliveries of events, newest first. The user can choose to see only those with a problem. */
export function DeliveriesSection() {
  const [trouble, setTrouble] = useState(false);
  const [busy, setBusy] = useState<string | null>(null);
  const [announcement, setAnnouncement] = useState<string>();
  const list = usePages({
    queryKey: [...deliveriesKey, trouble],
    read: async (cursor, signal) => {
      const { deliveries, nextCursor } = await readDeliveries(trouble, cursor, signal);
      return { items: deliveries, nextCursor };
    },
    pollMs: REFRESH_MS,
  });

  const send = async ({ id, endpointName }: EventDelivery) => {
    setBusy(id);
    setAnnouncement(undefined);
    try {
      await sendDeliveryAgain(id);
      setAnnouncement(`Sending the event to ${endpointName} again.`);
    } catch (error) {
      notifications.show({ title: "Couldn't send again", message: describeError(error), color: 'red' });
    } finally {
      setBusy(null);
      void list.reload();
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
          <RefreshButton list={list} />
        </Group>
      </Group>
      <ListFrame
        list={list}
        items={list.items}
        label="Deliveries"
        empty={trouble ? 'No failed deliveries.' : 'No events sent yet.'}
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
      <Announcer text={announcement} />
    </Stack>
  );
}
