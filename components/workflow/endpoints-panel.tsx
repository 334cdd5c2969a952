'use client';

import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { askToConfirm } from '@/components/feedback/ask-to-confirm';
import { describeError } from '@/components/feedback/describe-error';
import { ListFrame } from '@/components/feedback/list-frame';
import { onDemand } from '@/components/feedback/on-demand';
import { countOf } from '@/components/format/count';
import { useKeptFocus } from '@/hooks/use-kept-focus';
import type { EventEndpoint } from '@/lib/event-endpoints/schema';
import { DeliveriesSection, deliveriesKey } from './deliveries-section';
import { deleteEndpoint, readEndpoints, resumeEndpoint } from './endpoint-calls';
import { EndpointRow } from './endpoint-row';

const REFRESH_MS = 10_000;

const EndpointDialog = onDemand(() => import('./endpoint-dialog').then((file) => file.EndpointDialog), {
  opened: false,
});

/** Lists the endpoints that receive events, and the deliveries to them. */
export function EndpointsPanel() {
  // `endpoint` is the one to change. A dialog that closes keeps it, so that its title does not change while it fades.
  const [dialog, setDialog] = useState<{ opened: boolean; endpoint?: EventEndpoint }>({ opened: false });
  const [busy, setBusy] = useState<{ id: string; action: 'resume' | 'delete' } | null>(null);
  const [announcement, setAnnouncement] = useState<string>();
  // A deleted endpoint disappears together with its focused button. The focus then moves to the heading.
  const { ref: heading, ...endpointsFocus } = useKeptFocus<HTMLHeadingElement>();
  const queryClient = useQueryClient();
  const endpoints = useQuery({
    queryKey: ['event-endpoints'],
    queryFn: ({ signal }) => readEndpoints(signal),
    refetchInterval: REFRESH_MS,
  });
  const changed = () => {
    void endpoints.refetch();
    // Hide the deliveries until they are read again, because the deliveries of a deleted endpoint no longer exist.
    void queryClient.resetQueries({ queryKey: deliveriesKey });
  };

  const change = async (id: string, action: 'resume' | 'delete', act: () => Promise<string>) => {
    if (busy) return;
    setBusy({ id, action });
    setAnnouncement(undefined);
    try {
      setAnnouncement(await act());
    } catch (error) {
      notifications.show({
        title: "Couldn't update the endpoint",
        message: describeError(error),
        color: 'red',
      });
    } finally {
      setBusy(null);
      changed();
    }
  };
  const resume = (endpoint: EventEndpoint) =>
    change(endpoint.id, 'resume', async () => {
      const queued = await resumeEndpoint(endpoint.id);
      return `${endpoint.name} was resumed. It gets ${countOf(queued, 'event')} that it has missed.`;
    });
  const askToDelete = (endpoint: EventEndpoint) =>
    askToConfirm({
      title: 'Delete this endpoint?',
      text: (
        <>
          <strong>{endpoint.name}</strong> gets no more events, and its list of deliveries is deleted.
        </>
      ),
      action: 'Delete',
      onConfirm: () =>
        void change(endpoint.id, 'delete', async () => {
          await deleteEndpoint(endpoint.id);
          return `${endpoint.name} was deleted.`;
        }),
    });

  return (
    <Stack gap="xl">
      <Stack gap="md" component="section" aria-labelledby="endpoints-title" {...endpointsFocus}>
        <Group justify="space-between" align="flex-start">
          <div style={{ flex: '1 1 18rem' }}>
            <Title order={2} id="endpoints-title" ref={heading} tabIndex={-1}>
              Endpoints
            </Title>
            <Text c="dimmed" mt={4} maw="46rem">
              Other systems that receive an event when a spec, image or export completes or fails. Events are
              signed and retried like triggers.
            </Text>
          </div>
          <Button leftSection={<IconPlus size={16} />} onClick={() => setDialog({ opened: true })}>
            Add endpoint
          </Button>
        </Group>
        <ListFrame
          list={{ loading: endpoints.isFetching, error: endpoints.error, reload: () => endpoints.refetch() }}
          items={endpoints.data ?? null}
          label="Endpoints"
          empty="No endpoints yet."
        >
          {(endpoint) => (
            <EndpointRow
              key={endpoint.id}
              endpoint={endpoint}
              busy={busy?.id === endpoint.id ? busy.action : null}
              onResume={() => void resume(endpoint)}
              onEdit={() => setDialog({ opened: true, endpoint })}
              onDelete={() => askToDelete(endpoint)}
            />
          )}
        </ListFrame>
      </Stack>
      {endpoints.data !== undefined && endpoints.data.length > 0 && <DeliveriesSection />}
      <EndpointDialog {...dialog} onSaved={changed} onClose={() => setDialog({ ...dialog, opened: false })} />
      <Announcer text={announcement} />
    </Stack>
  );
}
